internal import WidgetBytes
package import WidgetCore
internal import WidgetDocuments
internal import WidgetNib
internal import WidgetPredicates

/// Makes a program of a bundle of the JSON-scheme framework: storyboards, schemes, models and service descriptions.
package struct WidgetKitReader: FrontEnd {
    package static let name = "WidgetKit scheme"
    package static let endings = [".json", ".nib", ".mom", ".plist", ".strings"]

    private let files: BundleFiles
    private let options: ProgramOptions
    private let limits: FormatLimits
    private var diagnostics: [Finding] = []
    private var scenes: [String: Scene] = [:]
    /// The screens of all storyboards: those of the first one by their identifiers, those of others with the storyboard
    /// in front, because two storyboards may have one identifier.
    private var entries: [String: Program.Entry] = [:]
    private var pictures = InterfacePictures()
    private var texts = TranslatableTexts()
    /// The table of translations of the storyboard that is read.
    private var table = ""
    /// True if a screen holds others that a host shows and no segue leads to.
    private var hasContainers = false
    private static let containers: Set<String> = ["UISplitViewController", "UIPageViewController"]
    /// The storyboard that is read, in front of the identifiers of its screens; empty for the first one.
    private var prefix = ""
    private var transformers = Transformers()
    private var translations = Translations.none
    /// The texts about fields of forms.
    private var fieldTexts = Translations.none
    private var data: DataFiles
    /// The values of settings until they are set, and where they were written.
    private var settings: [String: (value: Value, place: Place)] = [:]
    /// The storyboard of each scene.
    private var homes: [String: String] = [:]
    /// The facts of each scene that the checks of the whole program need.
    private var facts: [String: ScreenFacts] = [:]
    /// The names that screens have for their schemes; true for those whose file is there.
    private var restored: [String: Bool] = [:]
    private var standIns: [StandIn] = []
    /// The names of the storyboards that were read.
    private var readFolders: Set<String> = ["LaunchScreen"]
    /// Screens that never have a large title.
    private var smallTitles: Set<String> = []
    /// The screens that interfaces have become, by the interface: several identifiers may share one.
    private var known: [String: Program.Entry] = [:]
    /// Bytes of interfaces that may still be read.
    private var interfacesLeft: Int
    /// The names of the bundle's documents; `nil` in a bundle that is not read with them.
    private let documents: Set<String>?
    /// The views and steps of each scene that show documents.
    private var shown: [String: ShownDocuments] = [:]

    /// True if the bundle has a compiled storyboard.
    package static func recognises(_ files: BundleFiles) -> Bool {
        files.paths.contains { $0.contains(".storyboardc/") }
    }

    package static func program(_ files: BundleFiles, _ options: ProgramOptions) throws(FormatError) -> Program {
        var reader = WidgetKitReader(files, options)
        return try reader.read(options.entryPoint).program
    }

    /// The program of the storyboards of a bundle that has documents as well.
    ///
    /// - Parameters:
    ///   - documents: their names.
    ///   - isFirst: true if the bundle begins with a storyboard.
    static func program(
        _ files: BundleFiles, _ options: ProgramOptions, documents: Set<String>, isFirst: Bool
    ) throws(FormatError) -> OtherProgram {
        var reader = WidgetKitReader(files, options, documents: documents)
        return try reader.read(options.entryPoint, isFirst: isFirst)
    }

    private init(_ files: BundleFiles, _ options: ProgramOptions, documents: Set<String>? = nil) {
        self.files = files
        self.documents = documents
        self.options = options
        limits = options.limits
        data = DataFiles(limits)
        interfacesLeft = limits.interfaceByteCount
    }

    private mutating func read(_ entryPoint: String, isFirst: Bool = true) throws(FormatError) -> OtherProgram {
        guard let (path, folder) = files.folder("\(entryPoint).storyboardc") else {
            throw .missingStoryboard(entryPoint, elsewhere: files.deeperFolder("\(entryPoint).storyboardc"))
        }
        let storyboard = try rethrowing(try CompiledStoryboard(files: folder)) { FormatError.interface($0, path: path) }
        // A storyboard that documents lead to needs no first screen.
        guard let initial = storyboard.entryPoint ?? (isFirst ? nil : storyboard.screens.first?.identifier) else {
            throw .noInitialViewController(storyboard: entryPoint)
        }
        table = entryPoint
        readFolders.insert(entryPoint)
        translations = Translations(files, table: entryPoint, &diagnostics)
        fieldTexts = Translations(files, table: SceneAssembly.validationTexts, &diagnostics)
        let services = readServices()
        for (identifier, nib) in chosen(storyboard, initial, path) {
            do throws(NibError) {
                try readScreen(identifier, nib, of: storyboard, path)
            } catch {
                // A broken screen does not affect others, unless it is the first one.
                if identifier == initial { throw .interface(error, path: path) }
                diagnostics.append(Finding(.error, .badFile, "\(error)", at: Place(file: path, path: identifier)))
            }
        }
        readReferences(of: storyboard, path)
        spreadBars()
        if !hasContainers, documents == nil {
            diagnostics += BarCheck.diagnostics(scenes, facts, referenced: Set(standIns.map { $0.reference }))
        }
        guard entries[initial] != nil else { throw .noInitialViewController(storyboard: entryPoint) }
        let model = ModelLowering.model(files, &diagnostics)
        diagnostics += EntityCheck.diagnostics(services, scenes, facts, model)
        let all = scenes.values.sorted { $0.name < $1.name }
        diagnostics += AnswerCheck.diagnostics(services, model) + IdentifierCheck.diagnostics(all)
        diagnostics += KeyCheck.diagnostics(all, entries, model, facts.mapValues { $0.mediators })
        diagnostics += PathCheck.diagnostics(
            all, entries, services, vocabulary: WidgetKitVocabulary.vocabulary,
            settings: ProgramCheck.settings(all, facts, services, declared: Set(settings.keys)))
        var check = ProgramCheck(all, facts, services, images: images)
        check.run()
        check.checkProperties(model)
        check.checkSignals()
        check.checkSettings(settings)
        if !hasContainers, documents == nil {
            check.checkReach(from: initial, among: storyboard.screens.map { $0.identifier }, entries)
        }
        diagnostics += check.found
        diagnostics += RequestCheck.ofSchemes(all, services, initial: isFirst ? entries[initial]?.scene : nil)
        checkNames()
        diagnostics += TranslationCheck.diagnostics(files, texts)
        let used = Set((Array(restored.keys) + data.items.keys).map { "\($0).json" })
        diagnostics += FileNameCheck.diagnostics(files, used: used, hasDocuments: documents != nil)
        let declared = TermsSection.read(files, &diagnostics)
        // In a bundle with documents, links may lead to those.
        if documents == nil { diagnostics += LinkCheck.diagnostics(declared, all, entries) }
        let program = Program(
            identifier: options.identifier, name: options.name, scenes: all, entries: entries,
            initial: initial,
            model: model, services: services, transformers: transformers,
            vocabulary: WidgetKitVocabulary.vocabulary, images: images, settings: settings.mapValues { $0.value },
            fieldMessages: fieldMessages, diagnostics: diagnostics, terms: declared.terms, termPlaces: declared.places)
        return OtherProgram(program, screens: joinedScreens(storyboard.screens.map { $0.identifier }))
    }

    /// All that joins the scenes to documents.
    ///
    /// - Parameter identifiers: of the screens that have to be reached from the first one.
    private func joinedScreens(_ identifiers: [String]) -> [String: OtherProgram.Screen] {
        guard documents != nil else { return [:] }
        let checked = Set(hasContainers ? [] : identifiers.compactMap { entries[$0]?.scene })
        return facts.reduce(into: [:]) { screens, fact in
            var screen = OtherProgram.Screen()
            screen.destinations = fact.value.destinations
            screen.places = shown[fact.key]?.places ?? []
            screen.links = shown[fact.key]?.links ?? []
            screen.origin = checked.contains(fact.key) ? fact.value.place : nil
            screens[fact.key] = screen
        }
    }

    /// The screens to read, up to the limit. The first screen is always among them.
    private mutating func chosen(
        _ storyboard: CompiledStoryboard, _ initial: String, _ path: String
    ) -> [(identifier: String, nib: String)] {
        let most = limits.screenCount
        guard storyboard.screens.count > most else { return storyboard.screens }
        diagnostics.append(
            Finding(
                .error, .nodeBudget, "The storyboard has more than \(most) screens", at: Place(file: path),
                hint: "the first ones are read"))
        let first = storyboard.screens.filter { $0.identifier == initial }
        return first + storyboard.screens.lazy.filter { $0.identifier != initial }.prefix(most - first.count)
    }

    // MARK: - Other storyboards

    /// Reads the storyboards that this one refers to, and those that they refer to, each once.
    private mutating func readReferences(of storyboard: CompiledStoryboard, _ path: String) {
        // The screens of each storyboard by their identifiers, and its first one.
        var read: [String: (prefix: String, first: String?)] = [path: ("", storyboard.entryPoint)]
        var pending = [(storyboard: storyboard, path: path)]
        var next = 0
        while next < pending.count {
            let (from, source) = pending[next]
            next += 1
            for reference in from.references {
                let place = Place(file: source, path: reference.identifier)
                guard reference.bundle == nil else {
                    diagnostics.append(
                        Finding(
                            .warning, .unknownScreen,
                            "The bundle \(reference.bundle?.excerpt ?? "") of a reference is another one", at: place,
                            hint: "what leads there leads nowhere"))
                    continue
                }
                var (target, other) = (source, Optional<CompiledStoryboard>.none)
                if let name = reference.storyboard {
                    guard let (path, folder) = files.folder("\(name).storyboardc") else {
                        // A reference may lead to a document as well.
                        if reference.screen == nil, documents?.contains(name) ?? false {
                            referToDocument(name, (read[source]?.prefix ?? "") + reference.identifier, place)
                            continue
                        }
                        missing("The bundle has no storyboard \(name.excerpt)", place)
                        continue
                    }
                    target = path
                    if read[path] == nil {
                        do throws(NibError) {
                            other = try CompiledStoryboard(files: folder)
                        } catch {
                            missing("The storyboard \(name.excerpt) cannot be read: \(error)", place)
                            continue
                        }
                    }
                }
                if let other {
                    guard pending.count < limits.screenCount, scenes.count < limits.screenCount else {
                        missing("The storyboards have more than \(limits.screenCount) screens", place)
                        return
                    }
                    readScreens(of: other, target)
                    read[target] = ("\(target)/", other.entryPoint)
                    pending.append((other, target))
                }
                guard let known = read[target], let screen = reference.screen ?? known.first,
                    let entry = entries[known.prefix + screen]
                else {
                    missing(
                        "\(target) has no screen \(reference.screen?.excerpt ?? "to begin with")", place)
                    continue
                }
                entries[(read[source]?.prefix ?? "") + reference.identifier] = entry
            }
        }
        for (bars, scene) in StandIn.resolve(standIns, in: &entries) { add(bars, to: scene) }
    }

    /// Lets the segues to a placeholder push a document.
    private mutating func referToDocument(_ name: String, _ identifier: String, _ place: Place) {
        for scene in facts.keys where facts[scene]?.destinations.contains(identifier) ?? false {
            shown[scene, default: ShownDocuments()].links.append(DocumentLink(name, entry: identifier, place: place))
        }
    }

    /// Reads the screens of another storyboard, with its translations.
    private mutating func readScreens(of storyboard: CompiledStoryboard, _ path: String) {
        let texts = translations
        let name = path.split(separator: "/").last.map { String($0.dropLast(".storyboardc".count)) } ?? path
        let before = table
        defer { table = before }
        table = name
        readFolders.insert(name)
        translations = Translations(files, table: name, &diagnostics)
        prefix = "\(path)/"
        for (identifier, nib) in chosen(storyboard, storyboard.entryPoint ?? "", path) {
            do throws(NibError) {
                try readScreen(identifier, nib, of: storyboard, path)
            } catch {
                diagnostics.append(Finding(.error, .badFile, "\(error)", at: Place(file: path, path: identifier)))
            }
        }
        prefix = ""
        translations = texts
    }

    private mutating func missing(_ sentence: String, _ place: Place) {
        diagnostics.append(
            Finding(.error, .unknownScreen, sentence, at: place, hint: "what leads there leads nowhere"))
    }

    /// The texts about fields that break a rule: the standard ones, unless the reader's language has others.
    private var fieldMessages: FieldMessages {
        var texts: [FieldMessages.Key: String] = [:]
        for key in FieldMessages.Key.allCases {
            texts[key] = fieldTexts[key.rawValue]?.shortened(toByteCount: limits.messageByteCount)
        }
        return FieldMessages(texts)
    }

    // MARK: - Services

    private mutating func readServices() -> [Service] {
        let standard =
            options.isDevelopment ? ["Service.dev.json", "Service.json"] : ["Service.json", "Service.dev.json"]
        var services: [Service] = []
        for (name, paths, isScripted) in [
            (WidgetKitVocabulary.standardProvider, standard, false),
            (WidgetKitVocabulary.scriptedProvider, ["StubService.json"], true),
        ] {
            guard let (path, bytes) = paths.compactMap({ files.resource($0) }).first else { continue }
            let reader = ServiceReader(bytes, path: path, name: name, isScripted: isScripted, limits)
            diagnostics += reader.diagnostics
            for (name, transformer) in reader.transformers { transformers[name] = transformer }
            if let service = reader.service { services.append(service) }
        }
        return services
    }

    // MARK: - Screens

    private mutating func readScreen(
        _ identifier: String, _ nib: String, of storyboard: CompiledStoryboard, _ path: String
    ) throws(NibError) {
        let place = "\(path)/\(nib)"
        if let known = known[place] {
            entries[prefix + identifier] = known
            return
        }
        try take(nib, of: storyboard)
        let compiled = try storyboard.scene(identifier)
        if WidgetKitReader.containers.contains(compiled.controller.element.baseClassName) { hasContainers = true }
        let found = InterfaceScreens(compiled.controller, depth: limits.stackDepth, translations)
        if let finding = found.finding(in: nib) { diagnostics.append(finding) }
        var tabs: [Program.Tab] = []
        for (index, screen) in found.screens.enumerated() {
            if let reference = screen.controller.referenced {
                standIns.append(
                    StandIn(
                        identifier: prefix + identifier, reference: prefix + reference,
                        isNavigation: screen.isNavigation, tab: screen.tab.map { _ in index }, bars: bars(of: screen)))
                tabs.append(Program.Tab(screen, scene: ""))
                continue
            }
            let own = screen.controller.storyboardIdentifier ?? screen.controller.viewNib
            let name = own ?? (index == 0 ? identifier : "\(identifier)/\(index)")
            do throws(NibError) {
                tabs.append(Program.Tab(screen, scene: try read(screen, named: name, compiled, of: storyboard, path)))
            } catch {
                guard index > 0 else { throw error }
                tabs.append(Program.Tab(screen, scene: ""))
                diagnostics.append(Finding(.error, .badFile, "\(error)", at: Place(file: path, path: name)))
            }
            guard screen.tab == nil, let scene = tabs.first?.scene else { continue }
            let entry = Program.Entry(scene: scene, isNavigation: screen.isNavigation)
            entries[prefix + identifier] = entry
            if own != nil { known[place] = entry }
        }
        guard found.screens.first?.tab != nil else { return }
        entries[prefix + identifier] = Program.Entry(tabs: tabs)
    }

    /// Reads a screen of an interface.
    ///
    /// - Returns: the name of its scene.
    private mutating func read(
        _ screen: InterfaceScreens.Screen, named own: String, _ compiled: CompiledScene,
        of storyboard: CompiledStoryboard, _ path: String
    ) throws(NibError) -> String {
        let controller = screen.controller
        if controller.children.first != nil {
            diagnostics.append(
                Finding(
                    .error, .depthBudget, "Stacks lie more than \(limits.stackDepth) deep in each other",
                    at: Place(file: "\(compiled.nib).nib"), hint: "the innermost is not shown"))
        }
        let destinations = Set(screen.destinations.map { prefix + $0 })
        var name = own
        // Screens of different storyboards may have one identifier.
        if let home = homes[name], home != path { name = "\(path)/\(name)" }
        guard scenes[name] == nil else {
            facts[name]?.destinations.formUnion(destinations)
            add(bars(of: screen), to: name)
            return name
        }
        homes[name] = path
        var views: (file: String, document: NibDocument)?
        if let nib = controller.viewNib {
            try take(nib, of: storyboard)
            views = ("\(nib).nib", try storyboard.document(ofNib: nib))
        }
        let skeleton = SceneSkeleton(
            compiled, controller: controller, views: views, in: prefix, translations, limits, colors: files.colors)
        let scheme = controller.restorationIdentifier.flatMap { data.scheme($0, files, &diagnostics) }
        for (name, value) in scheme?.settings ?? [] { add(name, value) }
        var assembly = SceneAssembly(
            skeleton, scheme, named: name, files: files, data: data, transformers: Set(transformers.names),
            diagnosticsBefore: diagnostics.count, limits)
        assembly.fieldTexts = fieldTexts
        assembly.documents = documents
        if let screen = controller.restorationIdentifier { restored[screen] = scheme != nil }
        scenes[name] = assembly.assemble()
        if ScreenBars.hasSmallTitle(controller.navigationItem) { smallTitles.insert(name) }
        add(bars(of: screen), to: name)
        facts[name] = ScreenFacts(
            mediators: MediatorTable(assembly.mediators), destinations: destinations,
            hasHostService: assembly.hasHostService, isHostClass: skeleton.isHostClass,
            place: Place(file: path, path: name))
        shown[name] = assembly.shown
        data = assembly.data
        diagnostics += assembly.diagnostics
        if let scene = scenes[name] { texts.add(scene) }
        texts.add(assembly.messages)
        for loaded in assembly.skeleton.interfaces {
            // The interface of a row that is a file by itself has a table by itself.
            let isLoose = files.resource(loaded.file) != nil
            texts.add(loaded.interface.graph, to: isLoose ? String(loaded.file.dropLast(".nib".count)) : table)
        }
        if files.images != nil {
            for loaded in assembly.skeleton.interfaces { pictures.add(loaded.interface.graph) }
        }
        return name
    }

    // MARK: - Bars

    private func bars(of screen: InterfaceScreens.Screen) -> ScreenBars {
        var looks = LookReader(files.colors, limits)
        return ScreenBars(screen.path, &looks)
    }

    /// Gives a screen the bars around it, unless it has others already.
    private mutating func add(_ bars: ScreenBars, to name: String) {
        guard var scene = scenes[name] else { return }
        if scene.navigationBar == nil { scene.navigationBar = bars.navigation }
        if scene.tabBar == nil { scene.tabBar = bars.tabs }
        if scene.toolbar == nil { scene.toolbar = bars.toolbar }
        if smallTitles.contains(name) { scene.navigationBar?.prefersLargeTitle = false }
        if scene.edges.hidesBottomBar, bars.isPushed { (scene.tabBar, scene.toolbar) = (nil, nil) }
        scenes[name] = scene
    }

    /// Gives screens that are pushed the bars of the stack that they are pushed on.
    private mutating func spreadBars() {
        var pending = scenes.values.filter { $0.navigationBar != nil }.map { $0.name }.sorted(by: >)
        var reached = Set(pending)
        while let name = pending.popLast() {
            guard let scene = scenes[name] else { continue }
            let bars = ScreenBars(of: scene)
            for destination in (facts[name]?.destinations ?? []).sorted() {
                guard let entry = entries[destination], !entry.isNavigation, entry.tabs.isEmpty,
                    reached.insert(entry.scene).inserted
                else {
                    continue
                }
                add(bars, to: entry.scene)
                pending.append(entry.scene)
            }
        }
    }

    /// The bundle's pictures by name, and those that interfaces show.
    private var images: [String: ImageInfo]? { files.images.map { pictures.images(with: $0) } }

    /// Reports files whose names are almost those of screens without a scheme.
    private mutating func checkNames() {
        let missing = restored.filter { !$0.value }.keys.sorted()
        guard !missing.isEmpty else { return }
        let names = files.paths.filter { $0.hasSuffix(".json") }.map { path in
            String((path.split(separator: "/").last ?? "").dropLast(".json".count))
        }
        let free = Set(names).filter { restored[$0] == nil }.sorted()
        var left = free
        for screen in missing where !names.contains(screen) {
            guard let nearest = NearestName.of(screen, in: free, atMost: 2) else { continue }
            left.removeAll { $0 == nearest }
            let file = files.resource("\(nearest).json")?.path ?? "\(nearest).json"
            diagnostics.append(
                Finding(
                    .warning, .missingFile,
                    "The screen \(screen.excerpt) has no scheme, and \(nearest.excerpt).json has no screen",
                    at: Place(file: file), hint: "call the file \(screen.excerpt).json"))
        }
        diagnostics += UnreadSchemes.diagnostics(
            left, of: missing, files, storyboards: readFolders, limits)
    }

    /// Adds a setting's initial value. All screens share settings, so the first of several values counts.
    private mutating func add(_ name: String, _ setting: SchemeValue) {
        guard let known = settings[name] else {
            settings[name] = (setting.value, setting.place)
            return
        }
        guard !known.value.isIdentical(to: setting.value) else { return }
        diagnostics.append(
            Finding(
                .warning, .duplicateIdentifier, "The setting \(name.excerpt) has another value at \(known.place)",
                at: setting.place, hint: "that one counts"))
    }

    /// Reserves the bytes of an interface. Each read counts, because screens can share interfaces.
    private mutating func take(_ nib: String, of storyboard: CompiledStoryboard) throws(NibError) {
        interfacesLeft -= try storyboard.bytes(ofNib: nib).bytes.count
        guard interfacesLeft >= 0 else {
            throw NibError(.limitReached(.byteCount, limit: limits.interfaceByteCount), path: "\(nib).nib")
        }
    }
}
