import WidgetBuild
import WidgetBytes
import WidgetConsole
import WidgetFiles

/// The place from which a new package of Swift gets the module `Widgets`: this program's own sources, or another that the
/// user names.
enum LibraryPlace {
    static let option = Option(
        "package", value: "PATH|URL",
        help: "for declarative: the folder or git address of the package with the module Widgets; if not given, "
            + "that of this program")

    /// The folder beside `bin` into which `make install` puts the sources.
    private static let installed = "share/widgetd"
    /// A folder of the package that has the module.
    private static let module = "Sources/Engine/Widgets"
    private static let manifest = "Package.swift"

    /// The place for a new package; `nil` for widgets of other kinds.
    static func library(
        for kind: Starter.Kind, _ invocation: Invocation
    ) throws(CommandFailure) -> Starter.Library? {
        let given = invocation.value("package")
        guard kind == .declarative else {
            guard given == nil else {
                throw .misuse(
                    "--package is for packages of Swift", hints: ["`--kind declarative` makes a package of Swift"])
            }
            return nil
        }
        guard let given else {
            if let folder = folder(of: invocation.terminal.executable) { return .folder(folder) }
            throw .misuse(
                "the package with the module Widgets is not beside this program",
                hints: [
                    "`--package PATH|URL` names a folder with the sources of this program, or their address for git"
                ])
        }
        if isAddress(given) { return .address(given) }
        let folder = resolvedPath(given)
        guard has(folder) else {
            throw .misuse(
                "\(given) has no module Widgets",
                hints: ["`--package PATH` names a folder with the sources of this program: \(manifest) and \(module)"])
        }
        return .folder(folder)
    }

    /// True for `https://…`, and for `git@host:path`.
    private static func isAddress(_ text: String) -> Bool {
        if text.contains("://") { return true }
        guard let colon = text.firstIndex(of: ":") else { return false }
        return text[..<colon].contains("@") && !text[..<colon].contains("/")
    }

    /// The sources of this program: the folder that it was built in, or the one that was installed with it.
    private static func folder(of program: String) -> String? {
        var folder = resolvedPath(program)
        while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
            folder = String(folder[..<slash])
            for candidate in [folder, "\(folder)/\(installed)"] where has(candidate) { return candidate }
        }
        return nil
    }

    private static func has(_ folder: String) -> Bool {
        guard let directory = try? Directory(opening: folder) else { return false }
        return (try? directory.status(of: manifest).kind) == .file
            && (try? Directory(opening: "\(folder)/\(module)")) != nil
    }
}
