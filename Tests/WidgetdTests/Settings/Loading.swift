import Configuration
import Console

@testable import widgetd

private let program = Command("widgetd", "a server", example: "widgetd", options: Settings.options)

/// Loads settings from texts; other files are looked up in `files`.
func load(
    file: String? = nil, _ environment: [String: String] = [:], flags: [String] = [], files: [String: String] = [:]
) throws -> LoadedSettings<Settings> {
    var contents = files.mapValues { Array($0.utf8) }
    contents["w.json5"] = file.map { Array($0.utf8) }
    let arguments = (file == nil ? [] : ["--config", "w.json5"]) + flags
    guard case .run(let invocation) = try program.parse(arguments) else { preconditionFailure("help was asked for") }
    return try Settings.load(invocation, environment: environment) { path, byteLimit throws(FileFailure) in
        guard let bytes = contents[path] else { throw .notFound }
        guard bytes.count <= byteLimit else { throw .tooLarge(byteLimit: byteLimit) }
        return bytes
    }
}

/// The problems that loading finds, as messages with hints.
func problems(
    in file: String? = nil, _ environment: [String: String] = [:], flags: [String] = [], files: [String: String] = [:]
) -> [String] {
    do {
        _ = try load(file: file, environment, flags: flags, files: files)
        return []
    } catch let error as ConfigurationError {
        return error.problems.map { $0.message + ($0.hint.map { " (\($0))" } ?? "") }
    } catch {
        return ["\(error)"]
    }
}
