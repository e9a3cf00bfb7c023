package import WidgetContract
internal import WidgetFiles

/// The names of a package's sources for its author: paths that begin in the folder of the package.
package struct SourceNames: Sendable {
    /// The whole path of the folder, with a slash at its end.
    private let folder: String

    private static let sources = "Sources/"

    package init(of package: String) {
        folder = resolvedPath(package) + "/"
    }

    /// The path in the package of a file that the compiler names, by its whole path or by its module and name. The names
    /// of other files stay as they are.
    func name(_ file: String) -> String {
        if file.hasPrefix(folder) { return String(file.dropFirst(folder.count)) }
        let path = SourceNames.sources + file
        guard !file.hasPrefix("/"), (try? FileDescriptor.readingNamed(folder + path)) != nil else { return file }
        return path
    }

    package func named(_ remark: NativeRemark) -> NativeRemark {
        var named = remark
        named.file = remark.file.map(name)
        return named
    }

    package func named(_ declaration: NativeDeclaration) -> NativeDeclaration {
        var named = declaration
        named.faults = declaration.faults.map(self.named)
        named.handlers = declaration.handlers.map { handler in
            var handler = handler
            handler.file = handler.file.map(name)
            return handler
        }
        return named
    }
}
