pub(crate) use super::shoes::SHOES as PHONES;
