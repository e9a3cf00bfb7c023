import Bytes
import Console
import Files

/// What a person named to a command that takes a path or a widget of a registry.
enum NamedSubject {
    /// What is there, or has a slash or the name of a bundle, is meant as a path.
    static func isPath(_ text: String) -> Bool {
        text.contains("/") || text.hasSuffix(".bundle") || text.hasSuffix(".zip")
            || (try? FileDescriptor.readingNamed(text)) != nil
    }

    /// The registry that has the widget of that name. Without one, the name may be a slip in a file's.
    static func registry(of text: String, _ invocation: Invocation) throws(CommandFailure) -> RegistryOptions {
        guard RegistryOptions.nameRegistry(invocation) else {
            let nearest = NearestName.of(text, in: names()).map { ["did you mean \($0)?"] } ?? []
            throw .misuse(
                "there is no file or folder \(text); and as a widget of a registry it needs --server",
                hints: nearest + ["`--server http://127.0.0.1:8080` or WIDGET_SERVER names a registry"])
        }
        return try RegistryOptions(invocation)
    }

    private static let nameCount = 1_000

    /// Of the files and folders here.
    private static func names() -> [String] {
        let items = try? Directory(opening: ".").items(limit: nameCount)
        return (items.flatMap { $0 } ?? []).map(\.name)
    }
}
