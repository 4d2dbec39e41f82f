//! Decodes a body: a chain of stages, one per coding, fed piece by piece, that stops at a byte limit.

use quarry_model::{Headers, Truncation};

use crate::Coding;
use crate::stage::Stage;

/// More stacked codings than this are an attack (curl's limit, too).
const MAX_STACK: usize = 5;
/// How much a stage may produce at a time; with its window, all the memory that it needs.
const SCRATCH: usize = 16 * 1024;
/// How much brotli and zstd are given at a time; see [`Decoder::push`].
const BLOCK: usize = 4 * 1024;

/// What the decoder makes of further input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecodeProgress {
    /// It is welcome.
    More,
    /// It is ignored: the limit is reached.
    Full,
    /// It is ignored: the body cannot be decoded from here on.
    Broken,
}

/// A body with its codings undone, as far as that went.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Decoded {
    /// The bytes as meant.
    pub bytes: Vec<u8>,
    /// `Length` where the limit cut the body, `Disconnect` where the coded body ended too early.
    pub truncated: Option<Truncation>,
    /// Why decoding stopped before the end of the body, or what was odd about it.
    pub problem: Option<String>,
}

/// Undoes the content codings of a body that comes in pieces. Never holds more than the limit and
/// a fixed amount per coding, however much the body would unfold to.
pub struct Decoder {
    /// The coding that was applied last is undone first.
    stages: Vec<(Stage, Box<[u8]>)>,
    sink: Sink,
    fed: bool,
    /// The beginning of a block, where input is taken in blocks.
    pending: Option<Vec<u8>>,
}

struct Sink {
    bytes: Vec<u8>,
    limit: usize,
    progress: DecodeProgress,
    problem: Option<String>,
}

impl Decoder {
    /// A decoder for a body to which `codings` were applied in this order; it keeps `limit` bytes
    /// at most. With no codings it just collects.
    #[must_use]
    pub fn new(codings: &[Coding], limit: usize) -> Self {
        let stages = codings.iter().rev().take(MAX_STACK);
        let mut decoder = Self {
            stages: stages.map(|&coding| (Stage::new(coding), scratch())).collect(),
            sink: Sink { bytes: Vec::new(), limit, progress: DecodeProgress::More, problem: None },
            fed: false,
            pending: codings
                .iter()
                .any(|coding| matches!(coding, Coding::Brotli | Coding::Zstd))
                .then(|| Vec::with_capacity(BLOCK)),
        };
        if codings.len() > MAX_STACK {
            decoder.sink.fail(format!("more than {MAX_STACK} content codings"));
        }
        decoder
    }

    /// Takes the next piece of the body as sent.
    ///
    /// Brotli and zstd forget what they decoded in the call in which they meet corrupt data. Theirs
    /// are calls with blocks of one length, so that a corrupt body says the same however it is cut
    /// into pieces: on its way from a server, and whole from an archive.
    pub fn push(&mut self, mut chunk: &[u8]) -> DecodeProgress {
        self.fed |= !chunk.is_empty();
        let Some(pending) = &mut self.pending else {
            feed(&mut self.stages, &mut self.sink, chunk);
            return self.sink.progress;
        };
        while !chunk.is_empty() && self.sink.progress == DecodeProgress::More {
            let (taken, rest) = chunk.split_at(chunk.len().min(BLOCK - pending.len()));
            chunk = rest;
            if taken.len() == BLOCK {
                feed(&mut self.stages, &mut self.sink, taken);
                continue;
            }
            pending.extend_from_slice(taken);
            if pending.len() == BLOCK {
                feed(&mut self.stages, &mut self.sink, pending);
                pending.clear();
            }
        }
        self.sink.progress
    }

    /// How many bytes have been decoded so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sink.bytes.len()
    }

    /// Whether nothing has been decoded so far.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sink.bytes.is_empty()
    }

    /// The body as far as it was decoded. A coded body that ended before its coding did counts as
    /// cut off; an empty one is just empty.
    #[must_use]
    pub fn finish(mut self) -> Decoded {
        let mut cut = false;
        if let Some(pending) = self.pending.take() {
            feed(&mut self.stages, &mut self.sink, &pending);
        }
        for i in 0..self.stages.len() {
            // Bytes that a stage held back while it could not tell what they are.
            let (head, tail) = self.stages.split_at_mut(i + 1);
            let stage = &mut head[i].0;
            if let Some((held, oddity)) = stage.release() {
                self.sink.problem.get_or_insert(oddity);
                feed(tail, &mut self.sink, &held);
            }
            cut |= self.fed && !stage.is_complete();
        }
        let truncated = match self.sink.progress {
            DecodeProgress::Full => Some(Truncation::Length),
            DecodeProgress::More if cut => Some(Truncation::Disconnect),
            DecodeProgress::More | DecodeProgress::Broken => None,
        };
        let oddity = self.stages.iter_mut().find_map(|(stage, _)| stage.oddity());
        Decoded { bytes: self.sink.bytes, truncated, problem: self.sink.problem.or(oddity) }
    }
}

fn scratch() -> Box<[u8]> {
    vec![0; SCRATCH].into_boxed_slice()
}

fn feed(stages: &mut [(Stage, Box<[u8]>)], sink: &mut Sink, mut input: &[u8]) {
    let Some(((stage, scratch), later)) = stages.split_first_mut() else {
        return sink.take(input);
    };
    while sink.progress == DecodeProgress::More {
        let step = match stage.step(input, scratch) {
            Ok(step) => step,
            Err(detail) => return sink.fail(format!("{}: {detail}", stage.coding().as_str())),
        };
        input = &input[step.consumed..];
        if step.produced > 0 {
            // What lies between two codings is held to the limit, too: a bomb may unfold to a
            // stream that then says nothing.
            if !later.is_empty() && stage.produced() > sink.limit as u64 + SCRATCH as u64 {
                sink.progress = DecodeProgress::Full;
                return;
            }
            feed(later, sink, &scratch[..step.produced]);
        } else if input.is_empty() || step.consumed == 0 {
            return;
        }
    }
}

impl Sink {
    fn take(&mut self, input: &[u8]) {
        if self.progress != DecodeProgress::More {
            return;
        }
        let room = self.limit - self.bytes.len();
        if input.len() > room {
            self.progress = DecodeProgress::Full;
        }
        self.bytes.extend_from_slice(&input[..room.min(input.len())]);
    }

    fn fail(&mut self, problem: String) {
        self.progress = DecodeProgress::Broken;
        self.problem = Some(problem);
    }
}

/// Undoes the content codings of a whole body, keeping `limit` bytes at most.
#[must_use]
pub fn decode(codings: &[Coding], body: &[u8], limit: usize) -> Decoded {
    let mut decoder = Decoder::new(codings, limit);
    decoder.push(body);
    decoder.finish()
}

/// The body of a response as meant, or `None` where its header names no coding and the body as
/// sent serves: what `Response::decoded` holds.
#[must_use]
pub fn decode_body(headers: &Headers, body: &[u8], limit: usize) -> Option<Decoded> {
    let codings = Coding::of(headers);
    (!codings.is_empty()).then(|| decode(&codings, body, limit))
}
