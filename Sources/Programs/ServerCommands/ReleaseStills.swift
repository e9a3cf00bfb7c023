import Bytes
import Registry
import RegistryServer
import WidgetBundles
import WidgetContract
import WidgetCore
import WidgetHosting
import WidgetIntake
import WidgetRender
import WidgetRunning

/// The parts of a release that its pages show: stills of its screens with their sheet and pictures, its icon, and facts.
///
/// A still is the first view of a program that was started and not touched, at the moment of its publication: no request is
/// sent, and no closure is called.
struct ReleaseStills {
    /// The most screens that are drawn, and the bytes of all parts together.
    static let mostScreens = 12
    static let byteLimit = 768 << 10
    /// The most bytes of one picture of a still. A larger one is left out, and the page has its name.
    static let pictureLimit = 192 << 10
    /// The most rows that a list of a still has.
    static let rowCount = 12
    static let sheetName = "still.css"
    /// The most nodes of a screen that is drawn, as it was authored and as it is shown.
    private static let nodeLimit = 2_000
    /// The time for all stills of a release.
    private static let time = Duration.seconds(2)

    private let program: Program
    private let pictures: BundlePictures
    private let environment: Environment

    /// - Parameter moment: the seconds from 1970 to the publication, which dates on screens are relative to.
    init(_ program: Program, _ pictures: BundlePictures, at moment: Int64) {
        self.program = program
        self.pictures = pictures
        environment = Environment(now: Double(moment) - ReleaseStills.referenceSeconds)
    }

    /// From 1970 to the first moment of 2001.
    private static let referenceSeconds = 978_307_200.0

    /// The same for every run at that moment, but for screens that the time does not suffice for.
    func parts() -> [ReleasePart] {
        // Laying out a program takes time by its nodes, whether or not a screen can be drawn in the end.
        let counts = program.scenes.values.map(\.nodes.count)
        guard counts.reduce(0, +) <= PageReview.nodeLimit, counts.contains(where: { $0 <= ReleaseStills.nodeLimit })
        else {
            return [ReleaseFacts(program).part]
        }
        let deadline = ContinuousClock.now + ReleaseStills.time
        let planned = PlannedProgram(program)
        var options = PageOptions()
        options.sheets = [ReleaseStills.sheetName]
        options.rowLimit = ReleaseStills.rowCount
        options.shownRowCount = ReleaseStills.rowCount
        let printer = PagePrinter(planned, options)
        var facts = ReleaseFacts(program)
        var pages: [PrintedPage] = []
        var parts: [ReleasePart] = []
        var room = ReleaseStills.byteLimit

        func keep(_ name: String, _ mediaType: String, _ content: [UInt8]) -> Bool {
            guard content.count <= room, !parts.contains(where: { $0.name == name }) else { return false }
            room -= content.count
            parts.append(ReleasePart(name: name, mediaType: mediaType, content: content))
            return true
        }

        let icon = pictures.still("AppIcon60x60") ?? pictures.still("AppIcon")
        if let icon, icon.bytes.count <= ReleaseStills.pictureLimit {
            _ = keep(ReleaseFacts.iconName, icon.kind.mediaType, icon.bytes)
        }
        for (place, screen) in facts.screens.enumerated() where pages.count < ReleaseStills.mostScreens {
            // A screen without a still has its name and its ways all the same.
            guard ContinuousClock.now < deadline else { break }
            guard let scene = program.scenes[screen.name], scene.nodes.count <= ReleaseStills.nodeLimit else {
                continue
            }
            let view = first(
                of: place == 0 ? program : program.opened(at: screen.name), until: deadline)
            guard !view.root.children.isEmpty, view.nodeCount <= ReleaseStills.nodeLimit else { continue }
            let page = printer.page(view, StillPictures(pictures))
            let name = "screen-\(place + 1).html"
            guard keep(name, PagePrinter.mediaType, page.html) else { break }
            pages.append(page)
            facts.screens[place].still = name
            if !view.title.isEmpty { facts.screens[place].title = view.title }
            for (file, bytes) in page.pictures.sorted(by: { $0.key < $1.key }) {
                _ = keep(file, ReleaseStills.mediaType(ofPicture: file), bytes)
            }
        }
        let sheet = BaseSheet.bytes + planned.sheet.bytes + Array(ViewingSheet.text(options, for: pages).utf8)
        guard !pages.isEmpty, keep(ReleaseStills.sheetName, "text/css; charset=utf-8", sheet) else {
            return [ReleaseFacts(program).part]
        }
        return parts + [facts.part]
    }

    /// The most bytes of the outline of one interface, model or catalogue, and of all together, and their number.
    private static let outlineLimit = 64 << 10
    private static let outlinesLimit = 256 << 10
    private static let outlineCount = 2_000

    /// The contents of compiled interfaces and models as text. A bundle of which they cannot be read has none: the review
    /// says so elsewhere.
    static func outlines(of opened: borrowing CanonicalBundle) -> [ReleasePart] {
        guard
            let outline = try? BundleOutline.reading(opened.folder, in: opened.directory, from: opened.archive)
        else { return [] }
        var texts = outline.interfaces.map { ($0.path, $0.description) }
        texts += outline.models.map { ($0.path, $0.description) }
        var room = outlinesLimit
        var parts: [ReleasePart] = []
        for (path, text) in texts.prefix(outlineCount) {
            let content = Array(text.utf8.prefix(outlineLimit))
            guard content.count <= room else { break }
            room -= content.count
            parts.append(
                ReleasePart(
                    name: ReleaseFacts.outlinePrefix + path, mediaType: "text/plain; charset=utf-8",
                    content: Array(String(decoding: content, as: UTF8.self).utf8)))
        }
        return parts
    }

    /// The view of a program that has started, and for which a few moments have passed on its own clock. Requests are not
    /// sent, so that what waits for a server is shown as waiting.
    private func first(of program: Program, until deadline: ContinuousClock.Instant) -> View {
        var budget = Budget()
        budget.isTimeOver = { ContinuousClock.now >= deadline }
        budget.fuel = min(budget.fuel, ReleaseStills.fuel)
        var instance = WidgetInstance(program, environment: environment, budget: budget)
        _ = instance.send(.start)
        var steps = ReleaseStills.steps
        _ = instance.settle(within: ReleaseStills.seconds, &steps)
        return instance.view()
    }

    /// The work of one event of a still at most, the events of time, and the seconds on the widget's clock.
    private static let fuel = 500_000
    private static let steps = 16
    private static let seconds = 5.0

    private static func mediaType(ofPicture file: String) -> String {
        switch file.split(separator: ".").last {
        case "jpg": "image/jpeg"
        case "gif": "image/gif"
        case "webp": "image/webp"
        default: "image/png"
        }
    }
}

/// The pictures of a still, those that are not too large.
private struct StillPictures: ViewAssets {
    private let pictures: BundlePictures

    init(_ pictures: BundlePictures) {
        self.pictures = pictures
    }

    func image(_ name: String, scale: Int, isDark: Bool) -> PictureAnswer {
        switch pictures.picture(name, scale: scale, isDark: isDark) {
        case .file(let file) where file.bytes.count > ReleaseStills.pictureLimit:
            .unusable("it has more than \(ByteCountText.of(ReleaseStills.pictureLimit))")
        case .file(let file):
            .file(
                PictureFile(
                    file.bytes, file.kind.pictureKind, width: file.width, height: file.height, scale: file.scale))
        case .missing: .missing
        case .unusable(let reason): .unusable(reason)
        }
    }
}

extension BundlePictures {
    fileprivate func still(_ name: String) -> OrdinaryPicture? {
        if case .file(let file) = picture(name, scale: 2, isDark: false) { file } else { nil }
    }
}

extension BundlePictures.OrdinaryPicture.Kind {
    fileprivate var pictureKind: PictureKind {
        switch self {
        case .png: .png
        case .jpg: .jpg
        case .gif: .gif
        case .webp: .webp
        }
    }

    fileprivate var mediaType: String { self == .jpg ? "image/jpeg" : "image/\(rawValue)" }
}

extension View {
    /// The number of its nodes.
    fileprivate var nodeCount: Int {
        var count = 0
        visit { _ in
            count += 1
            return true
        }
        return count
    }
}

extension Program {
    /// The same program with another first screen, which need not be one that links or entries begin with.
    fileprivate func opened(at scene: String) -> Program {
        let tab = entries.sorted { $0.key < $1.key }.lazy.compactMap { $0.value.choosing { $0 == scene } }.first
        let usual = Entry(scene: scene, isNavigation: entries[initial]?.isNavigation ?? false)
        return Program(
            identifier: identifier, name: name, scenes: Array(scenes.values),
            entries: [scene: tab ?? usual],
            initial: scene,
            model: model, services: Array(services.values), transformers: transformers, vocabulary: vocabulary,
            images: images, settings: settings, fieldMessages: fieldMessages, terms: terms, termPlaces: termPlaces)
    }
}

extension ReleaseFacts {
    /// The facts that a program states, before its screens are drawn.
    init(_ program: Program) {
        self.init()
        let first = program.entries[program.initial]?.scene ?? program.initial
        let others = program.scenes.keys.filter { $0 != first }.sorted()
        for name in ([first] + others).prefix(ReleaseFacts.mostScreens) {
            guard let scene = program.scenes[name] else { continue }
            screens.append(
                Screen(
                    name: name, title: scene.identifier ?? name,
                    ways: ScreenWays(of: scene, in: program).names.filter { $0 != name }.sorted()))
        }
        let stated = ProgramNeeds(program)
        hosts = stated.servers
        needs = stated.abilities.map(\.rawValue)
        records = stated.records
        picksMedia = stated.picksMedia
        errorCount = program.diagnostics.count { $0.severity == .error }
    }
}

/// The screens that the steps of a scene and the tabs below it show.
struct ScreenWays {
    private(set) var names: Set<String> = []
    private let program: Program
    private var pending: [[Step]] = []

    init(of scene: Scene, in program: Program) {
        self.program = program
        pending = [scene.onLoad, scene.instead] + scene.reactions.map(\.steps) + scene.observations.map(\.steps)
        for node in scene.nodes {
            pending += node.events.values
            pending.append(node.instead)
            if let form = node.form { pending.append(form.submit) }
            if let lifecycle = node.lifecycle { pending += [lifecycle.appear, lifecycle.once, lifecycle.disappear] }
        }
        for action in scene.actions {
            for case .steps(let steps) in action.handlers.values { pending.append(steps) }
        }
        while let steps = pending.popLast() {
            for step in steps { take(step) }
        }
        for entry in program.entries.values where entry.tabs.contains(where: { $0.scene == scene.name }) {
            names.formUnion(entry.scenes)
        }
    }

    private mutating func take(_ step: Step) {
        switch step {
        case .show(let name, _): add(name)
        case .showForResult(let name, _, let steps):
            add(name)
            pending.append(steps)
        case .within(_, _, let steps), .after(_, _, let steps), .every(_, _, let steps): pending.append(steps)
        case .when(_, let then, let otherwise), .branch(_, let then, let otherwise): pending += [then, otherwise]
        default: break
        }
    }

    private mutating func add(_ name: String) { names.formUnion(program.entries[name]?.scenes ?? [name]) }
}
