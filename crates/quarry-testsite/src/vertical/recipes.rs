//! Recipes: many multi-valued attributes, numbers of minutes, no prices.

use super::{AttributeDef as A, Definition, Source};
use crate::format::Unit;

pub(crate) static RECIPES: Definition = Definition {
    noun: ("recipe", "recipes"),
    root: "recipes",
    site_names: &["{} Kitchen", "The {} Table", "Cooking with {}"],
    slogans: &["Dinner, solved", "Good food, plainly told", "From our stove to yours"],
    title: "{Manner} {Main ingredient} {Dish} with {Side}",
    sentences: &[
        "A [weeknight|Sunday|family] favourite that is [on the table|ready] in {Total time}.",
        "[Start|Begin] with the {~Main ingredient}, then let the pan do [the rest|the work].",
        "It [feeds|serves] {Servings} with [a little left over|nothing left over].",
        "Use {Ingredients} [while they are in season|from the market|straight from the cupboard].",
        "[Taste|Rest it|Stir once] before serving: [salt makes the difference|patience pays].",
        "The {~Side} can be made [a day ahead|while the oven heats|by small hands].",
        "Cooks from [the coast|the mountains|three generations] [argue about|swear by] the [garlic|butter|lid].",
    ],
    action: "Save recipe",
    constant: "Tested in our kitchen",
    glyph: "M36 58H124Q120 94 92 98H68Q40 94 36 58Z",
    schema: "Recipe",
    attributes: &[
        A::new(
            "Course",
            Source::One(&[
                "Main dish",
                "Dessert",
                "Soup",
                "Salad",
                "Breakfast",
                "Starter",
                "Snack",
            ]),
        )
        .facet()
        .spec()
        .aliases(&["Meal"]),
        A::new(
            "Cuisine",
            Source::One(&[
                "Italian",
                "Mexican",
                "Indian",
                "French",
                "Greek",
                "Thai",
                "Moroccan",
                "Japanese",
                "Spanish",
                "Turkish",
                "Korean",
                "Vietnamese",
                "Hungarian",
                "Ethiopian",
            ]),
        )
        .facet()
        .list()
        .missing(0.05)
        .aliases(&["Origin", "Kitchen"]),
        A::new(
            "Main ingredient",
            Source::One(&[
                "Chicken",
                "Lentil",
                "Rice",
                "Mushroom",
                "Salmon",
                "Potato",
                "Bean",
                "Beef",
                "Pumpkin",
                "Tofu",
                "Spinach",
                "Egg",
                "Cauliflower",
                "Shrimp",
            ]),
        )
        .facet()
        .spec(),
        A::new(
            "Manner",
            Source::One(&[
                "Roasted",
                "Creamy",
                "Spicy",
                "Quick",
                "Slow-cooked",
                "Grilled",
                "Baked",
                "Smoky",
            ]),
        ),
        A::new(
            "Dish",
            Source::One(&[
                "Stew", "Bake", "Curry", "Bowl", "Soup", "Salad", "Tart", "Skillet", "Pie",
                "Gratin",
            ]),
        ),
        A::new(
            "Side",
            Source::One(&[
                "Garlic Bread",
                "Mint Yogurt",
                "Lemon",
                "Fresh Herbs",
                "Toasted Almonds",
                "Brown Butter",
                "Pickled Onions",
                "Feta",
            ]),
        ),
        A::new(
            "Ingredients",
            Source::Several {
                of: &[
                    "onions",
                    "garlic",
                    "butter",
                    "tomatoes",
                    "olive oil",
                    "cream",
                    "lemons",
                    "carrots",
                    "ginger",
                    "parsley",
                    "chickpeas",
                    "cheese",
                    "coriander",
                    "flour",
                    "honey",
                    "cinnamon",
                    "coconut milk",
                    "peppers",
                    "thyme",
                    "walnuts",
                ],
                min: 3,
                max: 8,
            },
        )
        .facet()
        .spec()
        .aliases(&["Contains", "You need"]),
        A::new(
            "Diet",
            Source::Several {
                of: &["Vegetarian", "Gluten-free", "Vegan", "Low-carb", "Dairy-free", "Nut-free"],
                min: 0,
                max: 3,
            },
        )
        .facet()
        .aliases(&["Suitable for"]),
        A::new(
            "Occasion",
            Source::Several {
                of: &[
                    "Weeknight",
                    "Picnic",
                    "Holiday",
                    "Birthday",
                    "Brunch",
                    "Barbecue",
                    "Potluck",
                ],
                min: 0,
                max: 2,
            },
        )
        .facet(),
        A::new("Difficulty", Source::One(&["Easy", "Medium", "Challenging"])).facet().list(),
        A::new(
            "Equipment",
            Source::Several {
                of: &["Oven", "Blender", "Wok", "Slow cooker", "Grill", "Mixer"],
                min: 0,
                max: 2,
            },
        )
        .facet(),
        A::new(
            "Total time",
            Source::Number { low: 1000, high: 18_000, step: 500, unit: Unit::Minute },
        )
        .list()
        .spec()
        .aliases(&["Ready in", "Time"]),
        A::new("Time band", Source::Band { of: "Total time", edges: &[3000, 6000, 12_000] })
            .facet()
            .aliases(&["How long"]),
        A::new("Servings", Source::Number { low: 100, high: 1200, step: 100, unit: Unit::None })
            .spec()
            .aliases(&["Serves", "Yield"]),
        A::new(
            "Calories",
            Source::Number { low: 12_000, high: 95_000, step: 500, unit: Unit::Calorie },
        )
        .spec()
        .missing(0.25)
        .group("Nutrition"),
        A::new("Cook", Source::People { pool: 60, max: 1 })
            .list()
            .spec()
            .aliases(&["Chef", "Contributed by"]),
        A::new("Added", Source::Date { from: 2012, to: 2026 }).spec().aliases(&["Published"]),
        A::new("Rating", Source::Number { low: 250, high: 500, step: 10, unit: Unit::Star })
            .list()
            .missing(0.2),
    ],
};
