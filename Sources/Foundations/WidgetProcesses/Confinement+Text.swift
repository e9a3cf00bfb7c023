/// A confinement as a line for another process, and as words for people.
extension Confinement {
    /// The longest text that is read.
    private static let textByteCount = 2_000

    /// The confinement as one line, `limits=on;landlock=on 7;seccomp=off the kernel does not have it`.
    package var text: String {
        Part.allCases.map { part in
            switch states[part] {
            case .on(let version?): "\(part.rawValue)=on \(version)"
            case .on: "\(part.rawValue)=on"
            case .off(let reason): "\(part.rawValue)=off \(Confinement.plain(reason))"
            case nil: "\(part.rawValue)=off unknown"
            }
        }.joined(separator: ";")
    }

    /// Reads what ``text`` has written.
    ///
    /// - Returns: `nil` for anything else.
    package init?(text: String) {
        guard text.utf8.count <= Confinement.textByteCount else { return nil }
        var states: [Part: State] = [:]
        for item in text.split(separator: ";", omittingEmptySubsequences: false) {
            guard let sign = item.firstIndex(of: "="), let part = Part(rawValue: String(item[..<sign])),
                states[part] == nil
            else { return nil }
            let words = item[item.index(after: sign)...].split(
                separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            switch (words.first, words.dropFirst().first) {
            case ("on", nil): states[part] = .on(version: nil)
            case ("on", let number?):
                guard let version = Int(number), (1...1_000).contains(version), "\(version)" == number else {
                    return nil
                }
                states[part] = .on(version: version)
            case ("off", let reason?):
                guard !reason.isEmpty, Confinement.plain(String(reason)) == reason else { return nil }
                states[part] = .off(reason: String(reason))
            default: return nil
            }
        }
        guard states.count == Part.allCases.count else { return nil }
        self.init(states)
    }

    /// A line for each part: its name, `on` or `off`, and the reason.
    package var lines: [String] {
        Part.allCases.map { part in
            switch states[part] {
            case .on(let version?): "\(part.title): on, version \(version)"
            case .on: "\(part.title): on"
            case .off(let reason): "\(part.title): off, since \(reason)"
            case nil: "\(part.title): off"
            }
        }
    }

    /// A reason without characters that end it or that a terminal obeys.
    private static func plain(_ reason: String) -> String {
        let bytes = reason.utf8.map { (0x20...0x7E).contains($0) && $0 != 0x3B ? $0 : 0x3F }
        return String(decoding: bytes.prefix(150), as: UTF8.self)
    }
}

extension Confinement.Part {
    /// The name for people.
    package var title: String {
        switch self {
        case .limits: "limits"
        case .threads: "limit of threads"
        case .noNewPrivileges: "no new privileges"
        case .user: "user without rights"
        case .noCapabilities: "no capabilities"
        case .userNamespace: "namespace of users"
        case .networkNamespace: "namespace of networks"
        case .messageNamespace: "namespace of messages"
        case .landlock: "Landlock"
        case .seccomp: "filter of calls"
        }
    }
}
