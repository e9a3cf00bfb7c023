internal import WidgetBytes
internal import WidgetPlist

/// A compiled storyboard: a folder of interfaces and a list of its screens.
package struct CompiledStoryboard: Sendable {
    /// The files of the folder by name; they may come from memory, a disk or an archive.
    package typealias Files = [String: [UInt8]]

    /// The first screen.
    package let entryPoint: String?
    /// Identifiers of screens and the names of their interfaces, in the order of the list.
    package let screens: [(identifier: String, nib: String)]
    /// Screens of other storyboards, by the identifiers that stand-ins and segues have for them here.
    package let references: [StoryboardReference]
    /// The interface of each screen.
    private let nibs: [String: String]
    private let files: Files
    private let limits: NibLimits

    /// - Parameter files: by their paths in the folder, such as `Info.plist` and `A.nib/runtime.nib`.
    package init(files: Files, limits: NibLimits = NibLimits()) throws(NibError) {
        self.files = files
        self.limits = limits
        guard let list = files["Info.plist"] else { throw NibError(.missingFile("Info.plist")) }
        let root = try rethrowing(
            try PlistValue(parsing: list),
            as: { (error: PlistError) in
                NibError(.propertyList("\(error.reason)"), at: error.offset, path: "Info.plist")
            })
        // macOS has different names for these keys.
        let listed = root["UIViewControllerIdentifiersToNibNames"] ?? root["NSViewControllerIdentifiersToNibNames"]
        guard let names = listed?.dictionary else {
            throw NibError(
                .notAStoryboard("UIViewControllerIdentifiersToNibNames is missing or no dictionary"), path: "Info.plist"
            )
        }
        var screens: [(identifier: String, nib: String)] = []
        for (identifier, value) in names.members {
            guard let nib = value.string else {
                throw NibError(.notAStoryboard("the interface of \(identifier) is not a name"), path: "Info.plist")
            }
            screens.append((identifier, nib))
        }
        self.screens = screens
        references = StoryboardReference.list(root["UIViewControllerIdentifiersToExternalStoryboardReferences"])
        nibs = Dictionary(screens.map { ($0.identifier, $0.nib) }) { first, _ in first }
        entryPoint =
            (root["UIStoryboardDesignatedEntryPointIdentifier"] ?? root["NSStoryboardDesignatedEntryPointIdentifier"])?
            .string
    }

    /// Returns the bytes of an interface, which is a file or a folder of that name.
    package func bytes(ofNib name: String) throws(NibError) -> (path: String, bytes: [UInt8]) {
        let path = "\(name).nib"
        if let bytes = files[path] { return (path, bytes) }
        let prefix = "\(path)/"
        let inside = files.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        if let chosen = NibFolder.newest(of: inside), let bytes = files[prefix + chosen] {
            return (prefix + chosen, bytes)
        }
        throw NibError(.missingFile(path))
    }

    package func document(ofNib name: String) throws(NibError) -> NibDocument {
        let (path, bytes) = try bytes(ofNib: name)
        return try rethrowing(
            try NibDocument(parsing: bytes, limits: limits), as: { (error: NibError) in error.within(path) })
    }

    package func scene(_ identifier: String) throws(NibError) -> CompiledScene {
        guard let nib = nibs[identifier] else {
            throw NibError(.notAStoryboard("there is no screen \(identifier)"), path: "Info.plist")
        }
        let interface = NibInterface(try document(ofNib: nib).graph)
        guard
            let controller = interface.owned("sceneViewController")
                ?? interface.topLevelObjects.first(where: {
                    $0.proxyName == nil
                })
        else {
            throw NibError(.notAStoryboard("no screen controller"), path: "\(nib).nib")
        }
        return CompiledScene(
            identifier: identifier, nib: nib, interface: interface, controller: NibController(controller))
    }
}

/// A reference to a screen of another storyboard.
package struct StoryboardReference: Equatable, Sendable {
    /// The identifier of the screen in the storyboard that refers to it.
    package let identifier: String
    /// The other storyboard; absent for the same one.
    package let storyboard: String?
    /// The screen's identifier there; absent for the first screen.
    package let screen: String?
    /// The bundle with the storyboard; absent for the same one.
    package let bundle: String?

    fileprivate static func list(_ value: PlistValue?) -> [StoryboardReference] {
        guard let members = value?.dictionary?.members else { return [] }
        return members.map { identifier, entry in
            StoryboardReference(
                identifier: identifier, storyboard: entry["UIReferencedStoryboardName"]?.string,
                screen: entry["UIReferencedControllerIdentifier"]?.string,
                bundle: entry["UIReferencedBundleIdentifier"]?.string)
        }
    }
}

/// A screen, as described by its interface. A controller's views are in another interface, which is read when they are
/// needed.
package struct CompiledScene: Sendable {
    package let identifier: String
    package let nib: String
    package let interface: NibInterface
    package let controller: NibController
}

/// A screen's controller.
package struct NibController: Sendable {
    package let element: NibElement

    package init(_ element: NibElement) {
        self.element = element
    }

    package var className: String { element.shownClassName }
    package var title: String? { element.string("UITitle") }
    package var storyboardIdentifier: String? { element.string("UIStoryboardIdentifier") }
    package var restorationIdentifier: String? { element.string("UIRestorationIdentifier") }
    /// The interface that holds its views.
    package var viewNib: String? { element.string("UINibName") }
    /// The identifier of a screen of another storyboard, if this only is its stand-in.
    package var referenced: String? {
        element.baseClassName == "UIStoryboardViewControllerPlaceholder"
            ? element.string("UIStoryboardIdentifier") : nil
    }
    package var navigationItem: NibElement? { element.element("UINavigationItem") }

    /// Contained controllers, such as the screens of a stack: each once, however often the file repeats it.
    package var children: [NibController] {
        var seen: Set<Int> = [element.index]
        let listed = element.elements("UIViewControllers") + element.elements("UIChildViewControllers")
        return listed.filter { seen.insert($0.index).inserted }.map { NibController($0) }
    }

    package var segues: [NibSegue] { element.elements("UIStoryboardSegueTemplates").map { NibSegue($0) } }

    /// The objects that replace the placeholders of the interface with the views.
    package var externalObjects: [(placeholder: String, object: NibElement)] {
        element.pairs("UIExternalObjectsTableForViewLoading").compactMap { pair in
            pair.key.text.map { ($0, pair.value) }
        }
    }

    /// Returns the object for a placeholder in the interface with the views.
    package func external(_ placeholder: String) -> NibElement? {
        externalObjects.first { $0.placeholder == placeholder }?.object
    }
}

/// The first screen of a bundle, found as hosts find it: the entry point of the storyboard `Main`.
package enum FirstScreen {
    package static let storyboard = "Main"
    /// The deepest nesting of stacks; the innermost one is shown.
    package static let stackDepth = 4

    /// The reason why the first screen is missing, and the path of the file at fault.
    package struct Absence: Equatable, Sendable {
        package let path: String
        package let reason: String
    }

    /// Looks for the first screen among a bundle's files. Reads three of them at most.
    ///
    /// - Parameters:
    ///   - paths: the paths of the files in the bundle.
    ///   - read: returns a file's bytes by its path.
    /// - Returns: `nil` for a bundle with a first screen.
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
        // The storyboard reports files that are missing here as missing.
        func unreadable(_ error: NibError) -> Absence {
            Absence(path: folder, reason: "its first screen cannot be read: \(error)")
        }
        let initial: String
        do throws(NibError) {
            let list = try CompiledStoryboard(files: files)
            // A first screen in another storyboard is looked for when the widget starts.
            if list.references.contains(where: { $0.identifier == list.entryPoint }) { return nil }
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

    /// Returns the folder at the top, else in the folder for all languages, else in any language's.
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
    /// Returns the controller that is shown: a stack shows its first screen, also within another stack.
    package func shown(stackDepth: Int) -> (controller: NibController, isInStack: Bool) {
        var (controller, isInStack) = (self, false)
        for _ in 0..<stackDepth {
            guard let inner = controller.children.first else { break }
            (controller, isInStack) = (inner, true)
        }
        return (controller, isInStack)
    }
}

/// Finds the interface among the files of a nib folder.
///
/// Xcode writes several for hosts of different ages: `runtime.nib` for any, `objects-13.0+.nib` for those from that
/// version on; on macOS `keyedobjects.nib` and `keyedobjects-101300.nib`.
package enum NibFolder {
    /// Returns the name of the interface for the newest host; nil without one.
    package static func newest(of names: some Sequence<String>) -> String? {
        names.compactMap { name in rank(name).map { (name: name, rank: $0) } }
            .max { left, right in (left.rank, right.name) < (right.rank, left.name) }?.name
    }

    /// Returns a rank that is higher for newer hosts.
    private static func rank(_ name: String) -> Double? {
        switch name {
        case "runtime.nib": return 0
        // Beside keyed objects, this file is the typed stream for hosts of 2001.
        case "objects.nib": return 0.25
        case "keyedobjects.nib": return 0.5
        default: break
        }
        for (prefix, suffix) in [("objects-", "+.nib"), ("keyedobjects-", ".nib")]
        where name.hasPrefix(prefix) && name.hasSuffix(suffix)
            && name.utf8.count > prefix.utf8.count + suffix.utf8.count
        {
            let version = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
            if let number = Double(String(Substring(version))), number.isFinite { return 1 + number }
        }
        return nil
    }
}
