internal import WidgetCore

/// The unreadable parts of a store, as findings for the user of the widget.
struct UnreadParts {
    private let path: String
    private var firstRecord: String?
    private var recordCount = 0
    private var firstSetting: String?
    private var settingCount = 0

    init(path: String) { self.path = path }

    mutating func add(record id: Int, of entity: String, _ reason: String) {
        recordCount += 1
        if firstRecord == nil { firstRecord = "record \(id) of \(entity): \(reason)" }
    }

    mutating func add(setting name: String) {
        settingCount += 1
        if firstSetting == nil { firstSetting = "the setting \(name)" }
    }

    /// However many they are, one for each kind.
    var diagnostics: [Diagnostic] {
        let records = firstRecord.map { UnreadParts.sentence($0, recordCount) }
        let settings = firstSetting.map { UnreadParts.sentence($0, settingCount) }
        return [records, settings].compactMap { $0 }.map { sentence in
            Diagnostic(
                .error, .storing, "The store has what cannot be read: \(sentence)",
                hint: "it stays in \(path) as it is, and the widget goes on without it")
        }
    }

    private static func sentence(_ first: String, _ count: Int) -> String {
        count == 1 ? first : "\(first), and \(count - 1) more"
    }
}
