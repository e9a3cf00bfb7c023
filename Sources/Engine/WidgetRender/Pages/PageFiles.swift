internal import WidgetBytes
internal import WidgetCore
internal import WidgetMarkup

/// The names of the files that pages are made of, when they lie in a folder.
package enum PageFiles {
    package static let first = "index.html"

    /// 128 bits of a digest: no two files have one name by accident, and none on purpose.
    private static let digestLength = 32

    package static func screen(_ number: Int) -> String { "screen-\(number).html" }

    /// The name of a file that never changes, by its content.
    package static func digest(of bytes: [UInt8]) -> String {
        String((Digest.sha256(bytes)?.hex ?? "").prefix(digestLength))
    }

    /// The name of a picture's file.
    ///
    /// - Parameter kind: such as `png`.
    package static func picture(_ bytes: [UInt8], _ kind: String) -> String { "\(digest(of: bytes)).\(kind)" }

    /// True for the names that this module gives.
    package static func isOne(_ name: String) -> Bool {
        if [first, BaseSheet.fileName, ViewingSheet.fileName].contains(name) { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        if parts[1] == "html" {
            let number = parts[0].dropFirst(7).utf8
            return parts[0].hasPrefix("screen-") && !number.isEmpty && number.allSatisfy { 0x30...0x39 ~= $0 }
        }
        return ["css", "png", "jpg", "gif", "webp"].contains(parts[1]) && parts[0].utf8.count == digestLength
            && parts[0].utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    }

    /// False for a file that has the name of another's content, so that this module did not write it.
    package static func isOne(_ name: String, with bytes: [UInt8]) -> Bool {
        guard isOne(name) else { return false }
        let stem = String(name.prefix { $0 != "." })
        return stem.utf8.count != digestLength || stem == digest(of: bytes)
    }

    /// A page with a link to each of several others.
    package static func contents(_ pages: [(file: String, title: String)], _ options: PageOptions) -> [UInt8] {
        let title = SystemWords(options.locale)[.screens]
        var html = HTMLWriter()
        PageHead.begin(title, options, to: &html)
        html.element(.main) {
            $0.set(.class, "w contents")
        } content: { html in
            html.element(.h1, text: title)
            html.element(.ul) { html in
                for page in pages {
                    html.element(.li) { html in
                        html.element(.a, text: page.title) { $0.set(.href, page.file) }
                    }
                }
            }
        }
        return html.finish()
    }
}
