internal import WidgetFiles

/// Finds programs as a shell finds them.
package struct ProgramSearch: Sendable {
    /// The folders of programs, in the order of the search.
    private let folders: [String]

    /// - Parameter path: folders between colons, as in the variable `PATH`; the system's folders if `nil`.
    package init(path: String?) {
        // An empty name would be the working directory, which may be anyone's.
        folders = (path ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
    }

    /// The path of a program: the name itself, from the root on, if it has a slash, else in the first folder with a
    /// program of the name. A link to a program stays, since some programs go by the name under which they are started.
    ///
    /// - Returns: `nil` if no file there can be run.
    package func path(of name: String) -> String? {
        var candidates = folders.map { "\($0)/\(name)" }
        if let slash = name.lastIndex(of: "/") {
            candidates = [resolvedPath(String(name[...slash])) + name[slash...]]
        }
        return candidates.first { candidate in
            guard let status = try? FileDescriptor.readingNamed(candidate).status() else { return false }
            return status.kind == .file && status.mode & 0o111 != 0
        }
    }
}
