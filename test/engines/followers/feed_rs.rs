// What a user of feed-rs writes: the feed comes on standard input.
use std::io::Read;

fn main() {
    let mut text = Vec::new();
    std::io::stdin().read_to_end(&mut text).unwrap();
    let feed = feed_rs::parser::parse(&text[..]).unwrap();
    let page = |links: &[feed_rs::model::Link]| {
        links.iter().find(|link| link.rel.as_deref() == Some("alternate")).unwrap().href.clone()
    };
    println!(
        "{{\"entries\": {}, \"page\": \"{}\", \"feed\": \"{}\"}}",
        feed.entries.len(),
        page(&feed.entries[0].links),
        page(&feed.links)
    );
}
