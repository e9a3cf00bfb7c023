/// Where a value came from.
package enum SettingSource: Equatable, Sendable {
    case `default`
    /// The path as it was given, and the line if there is one.
    case file(String, line: Int?)
    case environment(String)
    case flag(String)
}

extension SettingSource: CustomStringConvertible {
    package var description: String {
        switch self {
        case .default: "default"
        case .file(let path, let line): path + (line.map { ":\($0)" } ?? "")
        case .environment(let name): name
        case .flag(let name): "--" + name
        }
    }
}
