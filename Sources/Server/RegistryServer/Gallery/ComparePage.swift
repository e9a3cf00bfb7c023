internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// The page that compares two releases of a bundle: stills side by side, texts, files, and what a host fetches.
struct ComparePage: Sendable {
    /// The most items of each list.
    private static let most = 200

    let old: ReleaseView
    let new: ReleaseView
    let difference: DifferenceDocument
    /// The texts of screens that both have, or one has.
    let texts: [ScreenTexts]

    private var bundle: BundleSummary { new.bundle }

    func bytes() -> [UInt8] {
        let title = "\(bundle.name): \(old.release.key) and \(new.release.key)"
        var html = GalleryFrame.begin(title, .bundles)
        html.box(class: "stack") { html in
            html.crumbs([("/", "Bundles"), (PagePath.bundle(bundle.identifier), bundle.identifier)], here: "compare")
            html.element(.h1, text: "\(old.release.key) → \(new.release.key)")
            html.element(.p) { html in
                html.element(.strong, text: ByteCountText.of(difference.transferByteCount))
                html.text(" of \(ByteCountText.of(difference.byteCount)) in ")
                html.link(PagePath.release(bundle.identifier, new.release.key), new.release.key)
                html.text(" are new to a host that has ")
                html.link(PagePath.release(bundle.identifier, old.release.key), old.release.key)
                html.text(". It fetches these, or the whole archive where that costs less. ")
                html.link(PagePath.compare(bundle.identifier, new.release.key, old.release.key), "The other way round")
            }
        }
        screens(to: &html)
        changedTexts(to: &html)
        files(to: &html)
        return GalleryFrame.end(&html)
    }

    private func screens(to html: inout HTMLWriter) {
        html.section("First screens", id: "screens") { html in
            html.box(class: "pairs") { html in
                for view in [old, new] {
                    html.box(class: "stack") { html in
                        html.element(.h3, text: view.release.key)
                        html.box(.div, class: "map") { html in
                            html.element(.div) { html in
                                if let still = view.stills.first?.part {
                                    html.still(
                                        bundle.identifier, view.release.key, still,
                                        "First screen of \(view.release.key)")
                                } else {
                                    html.box(class: "screen none") { $0.text(view.stillAbsence) }
                                }
                            }
                        }
                        html.shortcomings(view)
                    }
                }
            }
        }
    }

    private func changedTexts(to html: inout HTMLWriter) {
        let changed = texts.filter { !$0.removed.isEmpty || !$0.added.isEmpty }
        html.section("Texts", id: "texts") { html in
            guard !changed.isEmpty else {
                html.paragraph(
                    texts.isEmpty
                        ? "There are no stills of both releases to compare."
                        : "The screens say the same in both releases.",
                    class: "soft")
                return
            }
            for screen in changed {
                html.element(.h3, text: screen.title)
                html.element(.ul) { html in
                    for text in screen.removed.prefix(ComparePage.most) {
                        html.element(.li) { $0.element(.del, text: text) { $0.set(.class, "old") } }
                    }
                    for text in screen.added.prefix(ComparePage.most) {
                        html.element(.li) { $0.element(.ins, text: text) { $0.set(.class, "new") } }
                    }
                }
            }
        }
    }

    private func files(to html: inout HTMLWriter) {
        html.section("Files", id: "files") { html in
            let count = difference.changed.count + difference.added.count + difference.removed.count
            html.paragraph(
                "\(difference.changed.count) changed, \(difference.added.count) added, \(difference.removed.count) removed, "
                    + "\(difference.unchangedCount) the same.", class: "soft")
            guard count > 0 else { return }
            html.box(class: "scroll") { html in
                html.element(.table) {
                    $0.set(.class, "fold")
                } content: { html in
                    html.tableHead(["File", "What happened", "Size"])
                    html.element(.tbody) { html in
                        for change in difference.changed.prefix(ComparePage.most) {
                            row(
                                change.path, "changed", "warn", in: new.release.key,
                                "\(ByteCountText.of(change.old.byteCount)) → \(ByteCountText.of(change.new.byteCount))",
                                to: &html)
                        }
                        for file in difference.added.prefix(ComparePage.most) {
                            row(
                                file.path, "added", "good", in: new.release.key, ByteCountText.of(file.byteCount),
                                to: &html)
                        }
                        for file in difference.removed.prefix(ComparePage.most) {
                            row(
                                file.path, "removed", "bad", in: old.release.key, ByteCountText.of(file.byteCount),
                                to: &html)
                        }
                    }
                }
            }
        }
    }

    private func row(
        _ path: String, _ what: String, _ kind: String, in key: String, _ size: String, to html: inout HTMLWriter
    ) {
        html.element(.tr) { html in
            html.element(.th) {
                $0.set(.scope, "row")
            } content: { html in
                html.element(.a) {
                    $0.set(.href, FilePage.address(bundle.identifier, key, path))
                } content: {
                    $0.code(path)
                }
            }
            html.element(.td) { $0.chip(what, kind) }
            html.element(.td, text: size) { $0.set(.class, "number line") }
        }
    }
}

/// The texts of one screen that only one of two releases has.
struct ScreenTexts: Equatable, Sendable {
    let title: String
    let removed: [String]
    let added: [String]

    /// - Parameters:
    ///   - old: the still of the screen in the old release, empty if it has none; `new` likewise.
    init(_ title: String, old: [UInt8], new: [UInt8]) {
        self.title = title
        let (before, after) = (ScreenTexts.texts(in: old), ScreenTexts.texts(in: new))
        removed = ScreenTexts.rest(of: before, without: after)
        added = ScreenTexts.rest(of: after, without: before)
    }

    /// In their order; a text that occurs more often than in the other screen stays that many times.
    private static func rest(of texts: [String], without others: [String]) -> [String] {
        var counts: [String: Int] = [:]
        for text in others { counts[text, default: 0] += 1 }
        return texts.filter { text in
            guard let count = counts[text], count > 0 else { return true }
            counts[text] = count - 1
            return false
        }
    }

    /// The texts between the tags of a page that this registry's printer wrote.
    static func texts(in page: [UInt8]) -> [String] {
        var texts: [String] = []
        var text: [UInt8] = []
        var isInTag = false
        var start = 0
        let mark = Array("<body".utf8)
        if let body = page.indices.first(where: { page[$0...].starts(with: mark) }) { start = body }
        for byte in page[start...] {
            switch (byte, isInTag) {
            case (UInt8(ascii: "<"), _):
                let found = unescaped(text)
                if !found.isEmpty { texts.append(found) }
                text = []
                isInTag = true
            case (UInt8(ascii: ">"), true): isInTag = false
            case (_, true): continue
            case (_, false): text.append(byte)
            }
        }
        return texts
    }

    private static func unescaped(_ bytes: [UInt8]) -> String {
        var text = String(decoding: bytes, as: UTF8.self)
        for (escape, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
            text = text.replacing(escape, with: character)
        }
        let parts = text.split { $0.isWhitespace }
        return parts.joined(separator: " ")
    }
}
