//! Learned models: plain text files in `models/`, each whole or not there.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use super::Project;
use crate::{StoreError, write_whole};

impl Project {
    /// Writes the model of this name, in place of what there was.
    pub fn write_model(&self, name: &str, text: &str) -> Result<(), StoreError> {
        write_whole(&self.model_path(name), text)
    }

    /// The model of this name, if there is one.
    pub fn read_model(&self, name: &str) -> Result<Option<String>, StoreError> {
        let path = self.model_path(name);
        match fs::read(&path) {
            // What is no text is no model either, as whoever reads it finds out.
            Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::io("read", &path)(error)),
        }
    }

    /// Removes the model of this name, if there is one.
    pub fn remove_model(&self, name: &str) -> Result<(), StoreError> {
        let path = self.model_path(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(StoreError::io("remove", &path)(error))
            }
            _ => Ok(()),
        }
    }

    /// Where the model of this name is kept.
    #[must_use]
    pub fn model_path(&self, name: &str) -> PathBuf {
        self.dir.join("models").join(name)
    }
}
