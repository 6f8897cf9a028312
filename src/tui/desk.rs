//! The panes with what they share: who is given an action, and the whole screen.

use super::action::Action;
use super::app::App;
use super::draw;
use super::layout::below_title;
use super::panes::view::View;
use super::panes::{Content, Pane, Panel, Room};
use super::update::Effect;
use super::widgets::overlay;
use super::widgets::title::{self, Title};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Everything that is on the screen.
pub struct Desk {
    pub app: App,
    /// In the order of [`Pane::ALL`].
    panels: Vec<Placed>,
}

/// A pane, and what of it is to be seen.
struct Placed {
    panel: Box<dyn Panel>,
    view: View,
}

impl Desk {
    pub fn new(app: App) -> Desk {
        let placed = |pane: &Pane| Placed { panel: pane.panel(), view: View::default() };
        Desk { app, panels: Pane::ALL.iter().map(placed).collect() }
    }

    pub fn view(&self, pane: Pane) -> &View {
        &self.panels[pane.index()].view
    }

    /// Offers an action to the pane that has the focus, and one that is no motion to the others, too.
    pub fn offer(&mut self, action: Action) -> Option<Vec<Effect>> {
        let focus = self.app.focus;
        let others = Pane::ALL.iter().copied().filter(|p| *p != focus && !action.is_motion());
        for pane in std::iter::once(focus).chain(others) {
            let Placed { panel, view } = &mut self.panels[pane.index()];
            if let Some(effects) = panel.act(&mut self.app, view, action) {
                return Some(effects);
            }
        }
        None
    }

    /// Selects what stands in a line of a pane, counted from the first one that is to be seen.
    pub fn select(&mut self, pane: Pane, row: usize) {
        let Placed { panel, view } = &mut self.panels[pane.index()];
        panel.select(&mut self.app, view.scroll().y + row);
    }

    /// Scrolls the pane that has the focus.
    pub fn scroll(&mut self, action: Action) {
        self.panels[self.app.focus.index()].view.go(action);
    }

    /// Lets all panes take in what has changed, and asks for what they want to know.
    pub fn settle(&mut self) -> Vec<Effect> {
        let covered = overlay::area_now(&self.app);
        let layout = self.app.layout();
        for pane in Pane::ALL {
            let Placed { panel, view } = &mut self.panels[pane.index()];
            let inner = layout.inner(*pane);
            let over = covered.filter(|c| !c.intersection(inner).is_empty());
            let end = over.map_or(inner.bottom(), |c| c.y.max(inner.y));
            view.set_free(usize::from(end - inner.y));
            panel.settle(&mut self.app, view);
        }
        if self.app.waiting > 0 {
            return Vec::new();
        }
        let mut wanted =
            self.panels.iter().map(|placed| placed.panel.wants(&self.app, &placed.view));
        let command = wanted.find_map(|command| command);
        command.map(|command| self.app.engine(command)).unwrap_or_default()
    }

    /// Settling again has something to do.
    pub fn goes_on(&self) -> bool {
        self.panels.iter().any(|placed| placed.panel.goes_on())
    }

    /// What the panes think useful now, that of the focus first.
    pub fn useful(&self) -> Vec<Action> {
        let focus = self.app.focus;
        let others = Pane::ALL.iter().copied().filter(|pane| *pane != focus);
        let panes = std::iter::once(focus).chain(others);
        panes.flat_map(|pane| self.panels[pane.index()].panel.useful(&self.app)).collect()
    }

    /// Draws the whole screen. The application must know the size of the buffer.
    pub fn draw(&mut self, buffer: &mut Buffer) {
        draw::draw(self, buffer);
    }

    /// The pane whose name stands in this column of the title of another one.
    pub fn tab_at(&self, pane: Pane, area: Rect, x: u16) -> Option<Pane> {
        let Placed { panel, view } = &self.panels[pane.index()];
        title_of(&self.app, pane, &**panel, view).tab_at(area, x)
    }

    /// Draws a pane with its title.
    pub(super) fn draw_pane(&mut self, pane: Pane, area: Rect, buffer: &mut Buffer) {
        let app = &self.app;
        let Placed { panel, view } = &mut self.panels[pane.index()];
        let inner = below_title(area);
        let focused = app.focus == pane;
        let Rect { width, height, .. } = inner;
        let room = Room { width, height, focused };
        let Content { width, height, paint } = panel.content(app, room);
        view.fit(inner, (width, height), panel.cursor());
        let title = title_of(app, pane, &**panel, view);
        title::draw(app, title, area, buffer);
        if !inner.is_empty() {
            paint(view.scroll(), inner, buffer);
        }
    }
}

/// What stands in the title of a pane.
fn title_of(app: &App, pane: Pane, panel: &dyn Panel, view: &View) -> Title {
    let about = pane.about();
    let behind = Pane::ALL.iter().filter(|p| **p != pane && p.about().slot == about.slot);
    Title {
        name: panel.title(app).unwrap_or_else(|| about.title.to_owned()),
        behind: behind.copied().collect(),
        note: panel.note(app),
        position: view.position(),
        focused: app.focus == pane,
    }
}
