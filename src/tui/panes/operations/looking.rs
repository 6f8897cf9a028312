//! Looking through the texts of the transitions for what the filter says. There may be a hundred thousand and more:
//! a part is looked at in one go, and keys come in between.

use crate::tui::listing::Listing;

/// Texts that are looked at in one go: it takes some milliseconds.
const AT_ONCE: usize = 2000;

/// How far one has looked.
#[derive(Default)]
pub struct Looking {
    /// In small letters.
    wanted: String,
    next: usize,
    end: usize,
    /// The numbers of those that have the text, in their order.
    found: Vec<usize>,
}

impl Looking {
    /// Begins to look for a text; nothing is looked at yet.
    pub fn begin(filter: &str, listing: &Listing) -> Looking {
        let end = if filter.is_empty() { 0 } else { listing.len() };
        Looking { wanted: filter.to_lowercase(), next: 0, end, found: Vec::new() }
    }

    /// Looks at the next part.
    pub fn go_on(&mut self, listing: &Listing) {
        let end = self.end.min(self.next.saturating_add(AT_ONCE));
        let numbers = (self.next..end).filter(|n| self.is_in(&listing.text(*n)));
        self.found.extend(numbers.collect::<Vec<usize>>());
        self.next = end;
    }

    pub fn is_over(&self) -> bool {
        self.next >= self.end
    }

    pub fn found(&self) -> &[usize] {
        &self.found
    }

    /// Whether a text has what is looked for.
    pub fn is_in(&self, text: &str) -> bool {
        self.wanted.is_empty() || text.to_lowercase().contains(&self.wanted)
    }
}
