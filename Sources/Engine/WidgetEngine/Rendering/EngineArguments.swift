/// The words of a command line: options with and without values, and the name of the bundle.
struct EngineArguments {
    private static let valued: Set<String> = [
        "as", "output", "widget-id", "screen", "entry", "events", "clock", "viewport", "size", "scheme", "text-size",
        "dir",
        "mode", "columns", "locale", "time-zone",
    ]
    private static let flags: Set<String> = ["json", "force", "screens", "explain", "development"]

    private var values: [String: String] = [:]
    private(set) var subject = ""

    init(_ words: [String]) throws(SettingFault) {
        var rest = words[...]
        while let word = rest.popFirst() {
            var (name, attached): (String, String?) = ("", nil)
            if word == "-o" || word == "--output" {
                name = "output"
            } else if word.hasPrefix("--") {
                let halves = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                name = String(halves[0])
                if halves.count == 2 { attached = String(halves[1]) }
            } else {
                guard subject.isEmpty else { throw SettingFault("there is one argument too many: \(word)") }
                subject = word
                continue
            }
            if EngineArguments.flags.contains(name) {
                guard attached == nil else { throw SettingFault("--\(name) takes no value") }
                values[name] = ""
                continue
            }
            guard EngineArguments.valued.contains(name) else {
                throw SettingFault(
                    "the engine has no option --\(name)",
                    hints: [
                        "it has \((EngineArguments.valued.union(EngineArguments.flags)).sorted().joined(separator: ", "))"
                    ])
            }
            guard values[name] == nil else { throw SettingFault("--\(name) is there twice") }
            guard let value = attached ?? rest.popFirst() else { throw SettingFault("--\(name) has no value") }
            values[name] = value
        }
        guard !subject.isEmpty else { throw SettingFault("no bundle is named") }
    }

    func value(_ name: String) -> String? { values[name] }

    func has(_ name: String) -> Bool { values[name] != nil }
}
