internal import RegistryContract
internal import WidgetBytes
internal import WidgetMarkup
internal import WidgetRegistry

/// The addresses of the registry's pages.
enum PagePath {
    static func bundle(_ identifier: String) -> String { "/w/\(PercentEncoding.segment(identifier))" }

    static func release(_ bundle: String, _ key: String) -> String {
        "\(PagePath.bundle(bundle))/\(PercentEncoding.segment(key))"
    }

    static func part(_ bundle: String, _ key: String, _ name: String) -> String {
        "\(release(bundle, key))/still/\(PercentEncoding.segment(name))"
    }

    /// The widget of a release alone in a window.
    static func alone(_ bundle: String, _ key: String) -> String { "\(release(bundle, key))/try" }

    static func compare(_ bundle: String, _ old: String, _ new: String) -> String {
        "\(PagePath.bundle(bundle))/compare/\(PercentEncoding.segment(old))/\(PercentEncoding.segment(new))"
    }

    static func manage(_ bundle: String) -> String { "/manage/w/\(PercentEncoding.segment(bundle))" }
}

/// Numbers and times as pages write them.
enum GalleryText {
    /// A moment to the minute, in UTC.
    static func moment(_ seconds: Int64) -> String {
        let text = Timestamp.text(seconds)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    }

    static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// Basis points as people say them: `25 %`, `0.5 %`.
    static func percent(_ basisPoints: Int) -> String {
        let (whole, rest) = (basisPoints / 100, basisPoints % 100)
        if rest == 0 { return "\(whole) %" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10) %" : "\(whole).\(rest < 10 ? "0" : "")\(rest) %"
    }

    /// The releases that a channel shows, as a part of a sentence.
    static func shown(_ channel: Channel) -> String {
        guard channel.rollout < Rollout.bucketCount else { return channel.release }
        let rest = channel.base.map { ", \($0) to the others" } ?? ", nothing to the others"
        return "\(channel.release) to \(percent(channel.rollout))\(rest)"
    }
}

extension HTMLWriter {
    mutating func link(_ address: String, _ text: String, class name: String? = nil) {
        element(.a, text: text) {
            $0.set(.href, address)
            $0.set(.class, name)
        }
    }

    /// The way from the first page to this one.
    ///
    /// - Parameters:
    ///   - pages: the addresses and names of the pages above.
    ///   - name: that of the page itself; `nil` if its heading says it.
    mutating func crumbs(_ pages: [(address: String, name: String)], here name: String? = nil) {
        element(.nav) {
            $0.set(.class, "crumbs")
            $0.set(.label, "Place")
        } content: { html in
            for (index, page) in pages.enumerated() {
                if index > 0 { html.text(" / ") }
                html.link(page.address, page.name)
            }
            if let name { html.text(" / \(name)") }
        }
    }

    mutating func code(_ text: String) { element(.code, text: text) }

    mutating func paragraph(_ text: String, class name: String? = nil) {
        element(.p, text: text) { $0.set(.class, name) }
    }

    mutating func box(_ element: HTMLElement = .div, class name: String, _ content: (inout HTMLWriter) -> Void) {
        self.element(element, { $0.set(.class, name) }, content: content)
    }

    /// A part of a page with its heading.
    mutating func section(
        _ title: String, id: String? = nil, class name: String = "panel", _ content: (inout HTMLWriter) -> Void
    ) {
        element(.section) {
            $0.set(.class, name)
            $0.set(.labelledBy, id.map { "\($0)-h" })
            $0.set(.id, id)
        } content: { html in
            html.element(.h2, text: title) { $0.set(.id, id.map { "\($0)-h" }) }
            content(&html)
        }
    }

    mutating func time(_ seconds: Int64) {
        element(.time, text: GalleryText.moment(seconds)) {
            $0.set(.dateTime, Timestamp.text(seconds))
            $0.set(.class, "number line")
        }
    }

    mutating func chip(_ text: String, _ kind: String = "") {
        element(.span, text: text) { $0.set(.class, kind.isEmpty ? "chip" : "chip \(kind)") }
    }

    /// A line that people copy: a click selects all of it.
    mutating func copyLine(_ label: String, _ line: String) {
        box(class: "stack") { html in
            html.element(.h3, text: label)
            html.element(.pre) { html in
                html.element(.code, text: line) { $0.set(.class, "copy") }
            }
        }
    }

    /// The field of a search for bundles.
    mutating func searchField(_ text: String?) {
        box(class: "field grow") { html in
            html.element(.label, text: "Words of a name or an identifier") { $0.set(.for, "q") }
            html.begin(.input) {
                $0.set(.type, "search")
                $0.set(.id, "q")
                $0.set(.name, "q")
                $0.set(.value, text)
                $0.set(.maxLength, "100")
                $0.set(.autocomplete, "off")
                $0.set(.spellcheck, "false")
                $0.set(.autocapitalize, "none")
            }
        }
    }

    mutating func fact(_ name: String, _ value: (inout HTMLWriter) -> Void) {
        element(.dt, text: name)
        element(.dd, content: value)
    }

    /// The icon of a bundle, or its first letter on one of a few colours.
    mutating func icon(_ entry: CatalogueEntry, class name: String = "icon") {
        let bundle = entry.bundle
        if let release = entry.release, entry.parts.contains(ReleaseFacts.iconName) {
            begin(.img) {
                $0.set(.src, PagePath.part(bundle.identifier, release.key, ReleaseFacts.iconName))
                $0.set(.alt, "")
                $0.set(.class, name)
                $0.set(.width, "48")
                $0.set(.height, "48")
            }
            return
        }
        let tone = bundle.identifier.utf8.reduce(0) { ($0 * 31 + Int($1)) % 6_007 } % 6
        element(.span, text: String(bundle.name.first.map(String.init)?.uppercased().first ?? "·")) {
            $0.set(.class, "\(name) tone-\(tone)")
            $0.set(.isHidden, "true")
        }
    }

    /// A still in a frame that can neither be touched nor run anything; screen readers get its label alone.
    mutating func still(_ bundle: String, _ key: String, _ name: String, _ label: String) {
        element(.div) {
            $0.set(.class, "screen")
            $0.set(.role, "img")
            $0.set(.label, label)
        } content: { html in
            html.element(.div) {
                $0.set(.inert, if: true)
                $0.set(.isHidden, "true")
            } content: { html in
                html.markup("<iframe sandbox=\"allow-same-origin\" loading=\"lazy\" tabindex=\"-1\" title=\"")
                html.text(label)
                html.markup("\" src=\"")
                html.address(PagePath.part(bundle, key, name))
                html.markup("\"></iframe>")
            }
        }
    }

    /// The channels of a bundle that show a release, as chips.
    mutating func channelChips(_ channels: [Channel], upTo most: Int = 4) {
        guard !channels.isEmpty else { return }
        element(.ul) {
            $0.set(.class, "chips")
            $0.set(.label, "Channels")
        } content: { html in
            for channel in channels.prefix(most) {
                html.element(.li) { html in
                    html.box(.span, class: "chip") { html in
                        html.text(channel.name)
                        html.element(.span, text: channel.release) { $0.set(.class, "key soft") }
                        if channel.rollout < Rollout.bucketCount { html.text(GalleryText.percent(channel.rollout)) }
                    }
                }
            }
            if channels.count > most {
                html.element(.li) { $0.chip("\(channels.count - most) more") }
            }
        }
    }
}
