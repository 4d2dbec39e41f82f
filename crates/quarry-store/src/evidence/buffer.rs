//! Evidence in memory as bytes: blocks of one key each, in the order in which they came.

/// Blocks of evidence.
#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    blocks: Vec<Block>,
}

/// A key and the evidence that came under it without a break: places in the bytes.
#[derive(Clone, Copy)]
struct Block {
    start: u32,
    key_end: u32,
    end: u32,
}

impl Buffer {
    /// An empty buffer with room for so many bytes: growing would copy them again and again, and memory that nothing was written
    /// to costs nothing.
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes), blocks: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Bytes in use.
    pub(super) fn len(&self) -> usize {
        self.bytes.len() + self.blocks.len() * size_of::<Block>()
    }

    /// Appends what `write` writes under a key.
    pub(super) fn add(&mut self, key: &[u8], write: impl FnOnce(&mut Vec<u8>)) {
        let last = self.blocks.last().map(|block| &self.bytes[block.key()]);
        if last != Some(key) {
            let start = self.bytes.len() as u32;
            self.bytes.extend_from_slice(key);
            let end = self.bytes.len() as u32;
            self.blocks.push(Block { start, key_end: end, end });
        }
        write(&mut self.bytes);
        if let Some(block) = self.blocks.last_mut() {
            block.end = self.bytes.len() as u32;
        }
    }

    /// The blocks by key: key and evidence.
    pub(super) fn sorted(&self) -> Vec<(&[u8], &[u8])> {
        let parts = |block: &Block| {
            (&self.bytes[block.key()], &self.bytes[block.key_end as usize..block.end as usize])
        };
        let mut blocks: Vec<(&[u8], &[u8])> = self.blocks.iter().map(parts).collect();
        blocks.sort_by_key(|(key, _)| *key);
        blocks
    }
}

impl Block {
    fn key(self) -> std::ops::Range<usize> {
        self.start as usize..self.key_end as usize
    }
}
