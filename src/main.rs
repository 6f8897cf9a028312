fn main() -> anyhow::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let mut setup = burnside::setup::SetupOptions::default();
    for arg in std::env::args().skip(2) {
        if let Some((name, n)) = arg.split_once('=') {
            setup.cards.push((name.to_owned(), n.parse()?));
        }
    }
    let session = burnside::session::Session::open(
        burnside::session::Origin::File(path.into()),
        setup,
    );
    burnside::tui::run(session, burnside::tui::WorkbenchOptions::default())
}
