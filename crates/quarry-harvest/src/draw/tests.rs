//! Drawings of odd graphs.

use proptest::prelude::*;

use super::layout::layout;
use super::*;

fn node(id: usize, text: &str) -> Node {
    Node {
        id: format!("n{id}"),
        heading: text.to_owned(),
        tag: if id.is_multiple_of(2) { "price".to_owned() } else { String::new() },
        lines: vec![format!("“{text}”")],
        style: [Style::Solid, Style::Dashed, Style::Emphasised, Style::Terminal][id % 4],
    }
}

fn graph(texts: &[String], edges: &[(usize, usize, f64)], direction: Direction) -> Graph {
    Graph {
        title: "A <title> & more".to_owned(),
        note: String::new(),
        direction,
        nodes: texts.iter().enumerate().map(|(id, text)| node(id, text)).collect(),
        edges: edges
            .iter()
            .map(|&(from, to, weight)| GraphEdge {
                from,
                to,
                label: format!("{weight:.1}"),
                weight,
            })
            .collect(),
    }
}

#[test]
fn nothing_at_all_is_a_picture_too() {
    let empty = graph(&[], &[], Direction::Down);
    assert!(svg(&empty).ends_with("</svg>\n"));
    assert!(dot(&empty).ends_with("}\n"));
}

#[test]
fn text_cannot_leave_its_place() {
    let odd = graph(&["</text><script>\"\u{0}&\\".to_owned()], &[(0, 0, 0.5)], Direction::Down);
    let picture = svg(&odd);
    assert!(!picture.contains("<script>") && !picture.contains('\u{0}'), "{picture}");
    assert!(dot(&odd).contains("</text><script>\\\"\\u{0}&\\\\".replace("\\u{0}", " ").as_str()));
}

#[test]
fn a_chain_is_a_straight_line() {
    let texts: Vec<String> = (0..6).map(|n| "word ".repeat(n + 1)).collect();
    let edges: Vec<(usize, usize, f64)> = (0..5).map(|n| (n, n + 1, 1.0)).collect();
    let placed = layout(&graph(&texts, &edges, Direction::Down));
    let middles: Vec<f64> = placed.boxes.iter().map(|b| b.x + b.width / 2.0).collect();
    assert!(middles.iter().all(|x| (x - middles[0]).abs() < 0.5), "{middles:?}");
    assert!(placed.boxes.windows(2).all(|pair| pair[1].y > pair[0].y + pair[0].height));
}

prop_compose! {
    fn any_graph()(texts in proptest::collection::vec("\\PC{0,60}", 1..14))(
        edges in proptest::collection::vec((0..texts.len(), 0..texts.len(), 0.0..1.0_f64), 0..40),
        texts in Just(texts),
        down in any::<bool>(),
    ) -> Graph {
        graph(&texts, &edges, if down { Direction::Down } else { Direction::Right })
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn boxes_never_overlap_and_all_is_inside(graph in any_graph()) {
        let placed = layout(&graph);
        for (i, a) in placed.boxes.iter().enumerate() {
            prop_assert!(a.x >= -0.01 && a.x + a.width <= placed.width + 0.01);
            prop_assert!(a.y >= -0.01 && a.y + a.height <= placed.height + 0.01);
            for b in &placed.boxes[..i] {
                let apart = a.x >= b.x + b.width || b.x >= a.x + a.width
                    || a.y >= b.y + b.height || b.y >= a.y + a.height;
                prop_assert!(apart, "{a:?} {b:?}");
            }
        }
        prop_assert_eq!(svg(&graph), svg(&graph));
        prop_assert_eq!(dot(&graph).matches(" -> ").count() >= graph.edges.len(), true);
    }
}
