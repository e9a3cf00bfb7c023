import WidgetRegistry
import WidgetRender

/// The parts of a release's stills within their bytes: a page comes with all of its pictures and rules, or not at all.
struct StillParts {
    private(set) var parts: [ReleasePart] = []
    /// The bytes that are left.
    private(set) var room: Int
    private var names: Set<String> = []
    private var sheets: [Sheet] = []

    /// A sheet in the making, which the pages of a program share.
    private struct Sheet {
        let name: String
        /// Its bytes besides the rules of pages.
        let base: Int
        let text: ([PrintedPage]) -> [UInt8]
        var pages: [PrintedPage] = []
        var rules: Set<String> = []
    }

    init(room: Int) {
        self.room = room
    }

    /// Keeps a part that no page refers to.
    mutating func keep(_ part: ReleasePart) {
        guard part.content.count <= room, names.insert(part.name).inserted else { return }
        room -= part.content.count
        parts.append(part)
    }

    /// Begins a sheet. It is kept with its first page.
    ///
    /// - Parameter text: writes the sheet for the pages that have it.
    /// - Returns: the number by which pages name it.
    mutating func begin(_ sheet: String, _ text: @escaping ([PrintedPage]) -> [UInt8]) -> Int {
        sheets.append(Sheet(name: sheet, base: text([]).count, text: text))
        return sheets.count - 1
    }

    /// Keeps a page of a name that no other has.
    ///
    /// - Returns: false if the room does not suffice for all of it.
    mutating func keep(_ page: PrintedPage, named name: String, on sheet: Int) -> Bool {
        let pictures = page.pictures.filter { !names.contains($0.key) }
        let rules = page.rules.filter { !sheets[sheet].rules.contains($0.key) }
        let cost =
            page.html.count + pictures.reduce(0) { $0 + $1.value.count }
            + rules.reduce(0) { $0 + $1.value.utf8.count + 1 } + (sheets[sheet].pages.isEmpty ? sheets[sheet].base : 0)
        guard cost <= room, names.insert(name).inserted else { return false }
        room -= cost
        let html = StillParts.withoutFocus(page.html)
        parts.append(ReleasePart(name: name, mediaType: PagePrinter.mediaType, content: html))
        for (file, bytes) in pictures.sorted(by: { $0.key < $1.key }) {
            names.insert(file)
            parts.append(ReleasePart(name: file, mediaType: StillParts.mediaType(ofPicture: file), content: bytes))
        }
        sheets[sheet].rules.formUnion(rules.keys)
        sheets[sheet].pages.append(page)
        return true
    }

    /// All parts, with the sheets of the pages.
    consuming func finished() -> [ReleasePart] {
        parts
            + sheets.filter { !$0.pages.isEmpty }.map { sheet in
                ReleasePart(
                    name: sheet.name, mediaType: "text/css; charset=utf-8", content: sheet.text(sheet.pages))
            }
    }

    /// The page without the attribute by which a button of an alert takes the focus: frames of stills take none, and browsers
    /// complain of it. Texts have no angle brackets and values no quotes, so that each tag is found.
    static func withoutFocus(_ page: [UInt8]) -> [UInt8] {
        let attribute = Array(" autofocus".utf8)
        var (kept, isInTag, isInValue, place) = ([UInt8](), false, false, 0)
        kept.reserveCapacity(page.count)
        while place < page.count {
            let end = place + attribute.count
            if isInTag, !isInValue, end < page.count, page[place..<end].elementsEqual(attribute),
                page[end] == UInt8(ascii: " ") || page[end] == UInt8(ascii: ">")
            {
                place = end
                continue
            }
            switch page[place] {
            case UInt8(ascii: "<"): isInTag = true
            case UInt8(ascii: ">") where !isInValue: isInTag = false
            case UInt8(ascii: "\"") where isInTag: isInValue.toggle()
            default: break
            }
            kept.append(page[place])
            place += 1
        }
        return kept
    }

    private static func mediaType(ofPicture file: String) -> String {
        switch file.split(separator: ".").last {
        case "jpg": "image/jpeg"
        case "gif": "image/gif"
        case "webp": "image/webp"
        default: "image/png"
        }
    }
}
