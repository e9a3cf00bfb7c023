/// The screen that a bundle begins with, as hosts look for it: the entry point of the storyboard `Main`.
package enum FirstScreen {
    package static let storyboard = "Main"
    /// Stacks of screens within stacks, of which the innermost is shown.
    package static let stackDepth = 4

    /// Why there is none, and the path it is about.
    package struct Absence: Equatable, Sendable {
        package let path: String
        package let reason: String
    }

    /// Looks for the first screen among a bundle's files, of which three are read at most.
    ///
    /// - Parameters:
    ///   - paths: of the files in the bundle.
    ///   - read: a file's bytes by its path.
    /// - Returns: `nil` for a bundle that has one.
    package static func absence<Failure: Error>(
        among paths: [String], read: (String) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Absence? {
        guard let folder = folder(among: paths) else {
            return Absence(
                path: "\(storyboard).storyboardc",
                reason: "the bundle has no \(storyboard).storyboardc, neither at its top nor in a language's folder")
        }
        let names = paths.lazy.filter { $0.hasPrefix("\(folder)/") }.map { String($0.dropFirst(folder.count + 1)) }
        var files = CompiledStoryboard.Files()
        var interface = ""
        func take(_ name: String) throws(Failure) {
            files[name] = try read("\(folder)/\(name)")
        }
        func takeInterface(_ nib: String) throws(Failure) {
            let path = "\(nib).nib"
            if names.contains(path) { return try take(path) }
            let inside = names.filter { $0.hasPrefix("\(path)/") }.map { String($0.dropFirst(path.count + 1)) }
            if let newest = NibFolder.newest(of: inside) { try take("\(path)/\(newest)") }
        }
        if names.contains("Info.plist") { try take("Info.plist") }
        // What is missing from the files is what the storyboard then misses.
        func unreadable(_ error: NibError) -> Absence {
            Absence(path: folder, reason: "its first screen cannot be read: \(error)")
        }
        let initial: String
        do throws(NibError) {
            let list = try CompiledStoryboard(files: files)
            guard let entryPoint = list.entryPoint,
                let nib = list.screens.first(where: { $0.identifier == entryPoint })?.nib
            else { return Absence(path: folder, reason: "it names no screen to begin with") }
            (initial, interface) = (entryPoint, nib)
        } catch {
            return unreadable(error)
        }
        try takeInterface(interface)
        do throws(NibError) {
            let scene = try CompiledStoryboard(files: files).scene(initial)
            guard let views = scene.controller.shown(stackDepth: stackDepth).controller.viewNib else { return nil }
            interface = views
        } catch {
            return unreadable(error)
        }
        try takeInterface(interface)
        do throws(NibError) {
            _ = try CompiledStoryboard(files: files).document(ofNib: interface)
            return nil
        } catch {
            return unreadable(error)
        }
    }

    /// At the top, else in the folder for all languages, else in any language's.
    private static func folder(among paths: [String]) -> String? {
        let name = "\(storyboard).storyboardc"
        if paths.contains(where: { $0.hasPrefix("\(name)/") }) { return name }
        let languages = Set(
            paths.compactMap { path -> String? in
                guard let slash = path.firstIndex(of: "/"), path[..<slash].hasSuffix(".lproj"),
                    path[path.index(after: slash)...].hasPrefix("\(name)/")
                else { return nil }
                return String(path[..<slash])
            })
        let chosen = languages.contains("Base.lproj") ? "Base.lproj" : languages.min()
        return chosen.map { "\($0)/\(name)" }
    }
}

extension NibController {
    /// The controller whose views are shown: a stack shows its first screen, and one within a stack is as good as one.
    package func shown(stackDepth: Int) -> (controller: NibController, isInStack: Bool) {
        var (controller, isInStack) = (self, false)
        for _ in 0..<stackDepth {
            guard let inner = controller.children.first else { break }
            (controller, isInStack) = (inner, true)
        }
        return (controller, isInStack)
    }
}
