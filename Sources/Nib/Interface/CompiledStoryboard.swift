internal import Bytes
internal import Plist

/// A compiled storyboard: a folder of interfaces and a list of the screens in them.
package struct CompiledStoryboard: Sendable {
    /// Where the folder is read from. Keeping to names lets a caller have the files in memory, on disk or in an archive.
    package typealias Files = [String: [UInt8]]

    /// The screen to begin with.
    package let entryPoint: String?
    /// Identifiers of screens and the names of their interfaces, in the order of the list.
    package let screens: [(identifier: String, nib: String)]
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
        // Those of macOS have names of their own.
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
        nibs = Dictionary(screens.map { ($0.identifier, $0.nib) }) { first, _ in first }
        entryPoint =
            (root["UIStoryboardDesignatedEntryPointIdentifier"] ?? root["NSStoryboardDesignatedEntryPointIdentifier"])?
            .string
    }

    /// The bytes of an interface, which is a file or a folder of that name.
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

/// A screen as its interface describes it. The views of a controller are in another, read when they are needed.
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
    package var navigationItem: NibElement? { element.element("UINavigationItem") }

    /// Those around which this one is, such as the screens of a stack: each once, whatever the file says.
    package var children: [NibController] {
        var seen: Set<Int> = [element.index]
        let listed = element.elements("UIViewControllers") + element.elements("UIChildViewControllers")
        return listed.filter { seen.insert($0.index).inserted }.map { NibController($0) }
    }

    package var segues: [NibSegue] { element.elements("UIStoryboardSegueTemplates").map { NibSegue($0) } }

    /// Which objects stand for the placeholders of the interface that holds the views.
    package var externalObjects: [(placeholder: String, object: NibElement)] {
        element.pairs("UIExternalObjectsTableForViewLoading").compactMap { pair in
            pair.key.text.map { ($0, pair.value) }
        }
    }

    /// What a placeholder in the interface that holds the views stands for.
    package func external(_ placeholder: String) -> NibElement? {
        externalObjects.first { $0.placeholder == placeholder }?.object
    }
}
