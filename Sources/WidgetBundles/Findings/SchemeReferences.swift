internal import Bytes
internal import JSONText

/// The names by which a scheme refers to objects that it does not describe itself, so interfaces have to have them.
struct SchemeReferences {
    /// By the name, with what is to be said when no interface has it.
    private(set) var unresolved: [(name: String, finding: Finding)] = []
    private var sheet: FindingSheet
    /// What every screen has.
    private static let everywhere: Set<String> = ["@self", "self", "content", "defaults", "***", ""]

    init(_ screens: [JSONItem.Member], sheet: FindingSheet) {
        self.sheet = sheet
        for screen in screens { read(screen.value) }
    }

    private mutating func read(_ screen: JSONItem) {
        var known = Self.everywhere
        for entry in screen["objects"].members {
            known.insert(entry.name)
            if let alias = entry.value.object?["alias"]?.string { known.insert(alias) }
        }
        for entry in screen["objects"].members {
            outlets(of: entry.value.object, known)
        }
        for entry in screen["elements"].members {
            guard let element = entry.value.object else { continue }
            refer(entry.name, at: entry.nameSpan, known, "no interface of the bundle has an object called")
            outlets(of: element, known)
            if let target = element["action"]?["target"], let name = target.string {
                refer(name, at: target.span, known, "no object of the scheme or of an interface is called")
            }
        }
    }

    private mutating func outlets(of object: JSONItem.Object?, _ known: Set<String>) {
        for outlet in object?["outlets"].members ?? Optional<JSONItem>.none.members {
            for target in outlet.value.array.map({ Array($0) }) ?? [outlet.value] {
                guard let name = target.string else { continue }
                refer(name, at: target.span, known, "no object of the scheme or of an interface is called")
            }
        }
    }

    private mutating func refer(_ name: String, at span: JSONSpan, _ known: Set<String>, _ sentence: String) {
        guard !known.contains(name), unresolved.count < FindingSheet.countLimit else { return }
        unresolved.append((name, sheet.finding(.unknownObject, at: span, "\(sentence) \(ShownText.quoted(name))")))
    }
}
