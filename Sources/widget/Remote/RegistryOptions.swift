import Bytes
import Console
import Files
import JSONText
import RegistryClient

/// Which registry a command speaks to, as whom, and how it shows what comes of it.
struct RegistryOptions {
    static let json = Option("json", help: "print the same facts as JSON")
    static let options = [
        Option("server", value: "URL", help: "the registry; else WIDGET_SERVER"),
        Option("token", value: "TOKEN", help: "who asks; else WIDGET_TOKEN or WIDGET_TOKEN_FILE"),
        Option("follow-elsewhere", help: "follow redirects to other hosts, without the token"),
        json, Option("quiet", letter: "q", help: "print nothing but errors"),
    ]

    let address: RegistryAddress
    let token: String?
    /// Whether redirects may lead to another origin than the registry's.
    let followsElsewhere: Bool
    let output: CommandOutput

    /// A token and its line end; a larger file is none.
    private static let tokenByteLimit = 4_096

    init(_ invocation: Invocation) throws(CommandFailure) {
        output = CommandOutput(invocation)
        followsElsewhere = invocation.has("follow-elsewhere")
        guard let text = RegistryOptions.name(invocation) else {
            throw .misuse(
                "no registry is named",
                hints: ["`--server http://127.0.0.1:8080` or WIDGET_SERVER names one; `make run` starts one there"])
        }
        address = try rethrowing(
            try RegistryAddress(text),
            as: { (error: FetchError) in
                CommandFailure.misuse(
                    "\(error)", hints: ["--server and WIDGET_SERVER take an address such as https://widgets.example"])
            })
        token = try RegistryOptions.token(invocation)
    }

    var registry: RemoteRegistry { RemoteRegistry(address, token: token, followsElsewhere: followsElsewhere) }

    /// Whether the command line or the environment names a registry.
    static func nameRegistry(_ invocation: Invocation) -> Bool { name(invocation) != nil }

    private static func name(_ invocation: Invocation) -> String? {
        invocation.value("server") ?? Environment.value("WIDGET_SERVER")
    }

    private static func token(_ invocation: Invocation) throws(CommandFailure) -> String? {
        if let token = invocation.value("token") ?? Environment.value("WIDGET_TOKEN") {
            return try checked(token, from: "--token or WIDGET_TOKEN")
        }
        guard let path = Environment.value("WIDGET_TOKEN_FILE") else { return nil }
        let text: String
        do throws(FileError) {
            let file = try FileDescriptor.readingNamed(path)
            text = String(decoding: try file.read(at: 0, count: tokenByteLimit), as: UTF8.self)
        } catch {
            throw .failed("\(error)", hints: ["WIDGET_TOKEN_FILE names a file with nothing but a token in it"])
        }
        return try checked(String(text.prefix { !$0.isNewline }), from: path)
    }

    private static func checked(_ token: String, from place: String) throws(CommandFailure) -> String {
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .misuse(
                "what \(place) gives is no token", hints: ["`widget token create NAME --scope publish` makes one"])
        }
        return token
    }
}

/// How a command shows its result.
struct CommandOutput {
    let asJSON: Bool
    let isQuiet: Bool

    init(_ invocation: Invocation) {
        asJSON = invocation.has("json")
        isQuiet = invocation.has("quiet")
    }

    /// Prints a result in the form that was asked for.
    func print(_ document: JSONValue, _ text: @autoclosure () -> String) -> ExitCode {
        print({ $0.value(document) }, text())
    }

    func print(_ document: (inout JSONWriter) -> Void, _ text: @autoclosure () -> String) -> ExitCode {
        if isQuiet { return .clean }
        guard asJSON else { return Terminal.print(text()) }
        var writer = JSONWriter()
        document(&writer)
        return Terminal.print(document: writer.finish())
    }
}
