//! Decoders of single codings behind one `step` function: some input in, some output out, and whether
//! more is to come.

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::{Decompress, FlushDecompress, Status};
use zstd::stream::raw::{DParameter, Decoder as ZstdDecoder, Operation};

use crate::Coding;

/// RFC 9659 §3: a window for HTTP takes 8 MiB at most.
const ZSTD_WINDOW_LOG: u32 = 23;

type Brotli = BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>;

/// One coding that is being undone.
pub(crate) struct Stage {
    coding: Coding,
    engine: Engine,
    /// The first two bytes, until they are both there and tell the format.
    held: Vec<u8>,
    produced: u64,
    oddity: Option<String>,
}

enum Engine {
    /// The first two bytes decide.
    Undecided,
    Inflate(Decompress),
    Brotli(Box<Brotli>),
    Zstd {
        engine: ZstdDecoder<'static>,
        /// At the end of a frame: another may follow.
        between: bool,
    },
    /// A gzip member has ended; another may follow.
    Between,
    /// The body is not coded at all, whatever its header says.
    Plain,
    /// The coding has ended; what follows is ignored.
    Over,
    /// The coding is corrupt from here on.
    Failed(String),
}

/// What one step did.
pub(crate) struct Step {
    pub(crate) consumed: usize,
    pub(crate) produced: usize,
}

impl Stage {
    pub(crate) fn new(coding: Coding) -> Self {
        let engine = match coding {
            Coding::Gzip | Coding::Deflate => Engine::Undecided,
            Coding::Brotli => Engine::Brotli(Box::new(BrotliState::new_strict(
                StandardAlloc::default(),
                StandardAlloc::default(),
                StandardAlloc::default(),
            ))),
            Coding::Zstd => Engine::Undecided,
        };
        Self { coding, engine, held: Vec::new(), produced: 0, oddity: None }
    }

    pub(crate) fn coding(&self) -> Coding {
        self.coding
    }

    /// How many bytes have come out so far.
    pub(crate) fn produced(&self) -> u64 {
        self.produced
    }

    /// Whether the coding's own end has been seen.
    pub(crate) fn is_complete(&self) -> bool {
        match self.engine {
            Engine::Between | Engine::Plain | Engine::Over => true,
            Engine::Zstd { between, .. } => between,
            Engine::Undecided | Engine::Inflate(_) | Engine::Brotli(_) | Engine::Failed(_) => false,
        }
    }

    /// What was strange, though it could be read.
    pub(crate) fn oddity(&mut self) -> Option<String> {
        self.oddity.take()
    }

    /// At the end of the input: bytes that were held back, and are no coded body.
    pub(crate) fn release(&mut self) -> Option<(Vec<u8>, String)> {
        if !matches!(self.engine, Engine::Undecided) || self.held.is_empty() {
            return None;
        }
        if self.held[0] == MAGIC_START[self.coding as usize] {
            return None; // the beginning of a coded body that was cut off
        }
        self.engine = Engine::Plain;
        Some((std::mem::take(&mut self.held), not_coded(self.coding)))
    }

    /// Decodes some of `input` into `out`.
    pub(crate) fn step(&mut self, input: &[u8], out: &mut [u8]) -> Result<Step, String> {
        match &mut self.engine {
            Engine::Undecided | Engine::Between => return self.decide(input, out),
            Engine::Over => return Ok(Step { consumed: input.len(), produced: 0 }),
            _ if !self.held.is_empty() => return self.flush_held(out),
            _ => {}
        }
        self.run(input, out)
    }

    fn run(&mut self, input: &[u8], out: &mut [u8]) -> Result<Step, String> {
        let at_frame_start = matches!(self.engine, Engine::Zstd { between: true, .. });
        match run(&mut self.engine, input, out) {
            Ok(step) => {
                self.produced += step.produced as u64;
                if self.coding == Coding::Deflate && matches!(self.engine, Engine::Between) {
                    self.engine = Engine::Over;
                }
                Ok(step)
            }
            Err(_) if at_frame_start => {
                self.engine = Engine::Over; // no frame follows: trailing bytes
                Ok(Step { consumed: input.len(), produced: 0 })
            }
            Err(detail) => Err(detail),
        }
    }

    /// Feeds the engine with the bytes that were needed to choose it.
    fn flush_held(&mut self, out: &mut [u8]) -> Result<Step, String> {
        let held = std::mem::take(&mut self.held);
        let step = self.run(&held, out)?;
        self.held = held[step.consumed..].to_vec();
        // Something happened, so the caller goes on, even if the input is used up.
        Ok(Step { consumed: 0, produced: step.produced })
    }

    fn decide(&mut self, input: &[u8], out: &mut [u8]) -> Result<Step, String> {
        let consumed = input.len().min(2 - self.held.len());
        self.held.extend_from_slice(&input[..consumed]);
        if self.held.len() < 2 {
            return Ok(Step { consumed, produced: 0 });
        }
        let head = [self.held[0], self.held[1]];
        let first = matches!(self.engine, Engine::Undecided);
        self.engine = match self.coding {
            Coding::Gzip if head == [0x1f, 0x8b] => Engine::Inflate(Decompress::new_gzip(15)),
            Coding::Zstd if head == [0x28, 0xb5] || head[0] & 0xf0 == 0x50 && head[1] == 0x2a => {
                zstd_engine()?
            }
            Coding::Deflate => Engine::Inflate(Decompress::new(is_zlib(head))),
            _ if first => {
                self.oddity = Some(not_coded(self.coding));
                Engine::Plain
            }
            _ => {
                self.held.clear();
                Engine::Over
            }
        };
        let produced = if self.held.is_empty() { 0 } else { self.flush_held(out)?.produced };
        Ok(Step { consumed, produced })
    }
}

/// The byte with which a body of the coding begins, by `Coding as usize`.
const MAGIC_START: [u8; 4] = [0x1f, 0x78, 0, 0x28];

fn not_coded(coding: Coding) -> String {
    format!("the header says {}, but the body is not; taken as it is", coding.as_str())
}

/// RFC 1950 §2.2: compression method 8, and a check that makes the pair a multiple of 31.
fn is_zlib([cmf, flg]: [u8; 2]) -> bool {
    cmf & 0x0f == 8 && cmf >> 4 <= 7 && (u16::from(cmf) << 8 | u16::from(flg)) % 31 == 0
}

fn zstd_engine() -> Result<Engine, String> {
    let mut engine = ZstdDecoder::new().map_err(|e| e.to_string())?;
    engine.set_parameter(DParameter::WindowLogMax(ZSTD_WINDOW_LOG)).map_err(|e| e.to_string())?;
    Ok(Engine::Zstd { engine, between: false })
}

/// One call of the engine; moves it to its end where the coding ends.
fn run(engine: &mut Engine, input: &[u8], out: &mut [u8]) -> Result<Step, String> {
    let (step, next) = match engine {
        Engine::Inflate(inflate) => {
            let (before_in, before_out) = (inflate.total_in(), inflate.total_out());
            let status = inflate.decompress(input, out, FlushDecompress::None);
            let step = Step {
                consumed: (inflate.total_in() - before_in) as usize,
                produced: (inflate.total_out() - before_out) as usize,
            };
            let next = match status {
                Ok(Status::StreamEnd) => Some(Engine::Between),
                Ok(Status::Ok | Status::BufError) => None,
                Err(e) => Some(Engine::Failed(e.message().unwrap_or("corrupt data").to_owned())),
            };
            (step, next)
        }
        Engine::Brotli(state) => {
            let (mut room_in, mut at_in) = (input.len(), 0);
            let (mut room_out, mut at_out, mut total) = (out.len(), 0, 0);
            let result = BrotliDecompressStream(
                &mut room_in,
                &mut at_in,
                input,
                &mut room_out,
                &mut at_out,
                out,
                &mut total,
                state,
            );
            let step = Step { consumed: at_in, produced: at_out };
            match result {
                BrotliResult::ResultFailure => {
                    (step, Some(Engine::Failed("corrupt data".to_owned())))
                }
                BrotliResult::ResultSuccess => (step, Some(Engine::Over)),
                BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => (step, None),
            }
        }
        Engine::Zstd { engine, between } => {
            if input.is_empty() && *between {
                return Ok(Step { consumed: 0, produced: 0 });
            }
            let status = engine.run_on_buffers(input, out).map_err(|e| e.to_string())?;
            *between = status.remaining == 0;
            (Step { consumed: status.bytes_read, produced: status.bytes_written }, None)
        }
        Engine::Plain => {
            let n = input.len().min(out.len());
            out[..n].copy_from_slice(&input[..n]);
            (Step { consumed: n, produced: n }, None)
        }
        Engine::Failed(detail) => return Err(std::mem::take(detail)),
        Engine::Undecided | Engine::Between | Engine::Over => {
            (Step { consumed: input.len(), produced: 0 }, None)
        }
    };
    match next {
        // What came out before the corruption is handed over first.
        Some(Engine::Failed(detail)) if step.produced == 0 => Err(detail),
        Some(next) => {
            *engine = next;
            Ok(step)
        }
        None => Ok(step),
    }
}
