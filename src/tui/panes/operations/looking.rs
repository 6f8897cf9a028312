//! Looking through the texts of the transitions for what the filter says. There may be a hundred thousand and more:
//! a part is looked at in one go, and keys come in between.

use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::engine::Sieve;
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

/// The filter of which it was said last that it is no predicate: once is enough, and not in every state.
#[derive(Default)]
pub struct Unread(String);

impl Unread {
    /// Says why a filter with an operator in it is no predicate, where no call has its text, either.
    pub fn tell(&mut self, app: &mut App, looking: &Looking) {
        if self.0 != app.filter {
            self.0.clear();
        }
        let Some(Sieve { text, found: Err(why) }) = &app.sieve else { return };
        let none = looking.is_over() && looking.found().is_empty();
        if none && self.0 != *text {
            self.0.clone_from(text);
            let told = format!("nothing here has `{text}`, and as a predicate: {why}");
            app.complain(told);
        }
    }
}

/// What stands in place of the calls where the filter leaves none.
pub fn way_out(app: &App) -> String {
    let keys = app.keymap.keys(Action::Close).join(" ");
    format!(" {keys} shows all: nothing here has `{}`", app.filter)
}
