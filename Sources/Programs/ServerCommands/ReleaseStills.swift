import RegistryContract
import RegistryServer
import WidgetBundles
import WidgetBytes
import WidgetContract
import WidgetCore
import WidgetHosting
import WidgetIntake
import WidgetLayout
import WidgetRegistry
import WidgetRender
import WidgetRunning

/// The parts of a release that its pages show: stills of its screens with their sheets and pictures, its icon, and facts.
///
/// A still is the first view of a program that was started at the moment of its publication and not touched. What it asked
/// when it opened is answered, as on a page without a network: by the bundle's own stubs, on the widget's clock.
struct ReleaseStills {
    /// The most screens that are drawn.
    static let mostScreens = 12
    /// The most bytes of one picture of a still. A larger one is left out, and the page has its name.
    static let pictureLimit = 192 << 10
    /// The most pixels of an icon's side, and of one picture: a browser takes memory for each.
    static let iconSide = 1_024
    static let pixelLimit = 4 << 20
    /// The bytes in a catalogue from which a picture is drawn with fewer pixels: making a file of all of them takes longer than
    /// all the rest of a review.
    static let pictureAim = 64 << 10
    /// The most rows that a list of a still has.
    static let rowCount = 12
    /// The most nodes of a screen that is drawn, as it was authored and as it is shown.
    fileprivate static let nodeLimit = 2_000
    /// The time for all stills of a release.
    private static let time = Duration.seconds(2)

    private let plan: StillPlan
    private let pictures: BundlePictures
    private let shown: StillPictures
    private let now: Double
    private let deadline = ContinuousClock.now + ReleaseStills.time
    private var facts: ReleaseFacts
    private var kept: StillParts
    private var drawnCount = 0

    /// The parts: the same for every run at that moment, but for screens that the time does not suffice for.
    ///
    /// - Parameters:
    ///   - program: in the bundle's own language.
    ///   - moment: the seconds from 1970 to the publication, which dates on screens are relative to.
    ///   - others: the program in other languages.
    static func parts(
        of program: Program, _ pictures: BundlePictures, at moment: Int64, _ plan: StillPlan,
        _ others: [String: Program] = [:]
    ) -> [ReleasePart] {
        // Laying out a program takes time by its nodes, whether or not a screen can be drawn in the end.
        let counts = program.scenes.values.map(\.nodes.count)
        guard counts.reduce(0, +) <= PageReview.nodeLimit, counts.contains(where: { $0 <= nodeLimit }) else {
            return [ReleaseFacts(program).part]
        }
        var stills = ReleaseStills(program, pictures, Double(moment) - referenceSeconds, plan)
        stills.draw(program, others)
        guard stills.drawnCount > 0 else {
            var facts = ReleaseFacts(program)
            facts.lacksTime = stills.facts.lacksTime
            return [facts.part]
        }
        return stills.kept.finished() + [stills.facts.part]
    }

    /// From 1970 to the first moment of 2001.
    private static let referenceSeconds = 978_307_200.0

    private init(_ program: Program, _ pictures: BundlePictures, _ now: Double, _ plan: StillPlan) {
        (self.plan, self.pictures, self.now) = (plan, pictures, now)
        shown = StillPictures(pictures)
        facts = ReleaseFacts(program)
        kept = StillParts(room: plan.byteCount)
    }

    /// Draws what is wanted most first, until the room or the time is used up.
    private mutating func draw(_ program: Program, _ others: [String: Program]) {
        let icon = pictures.still("AppIcon60x60") ?? pictures.still("AppIcon")
        if let icon, icon.bytes.count <= ReleaseStills.pictureLimit,
            max(icon.width, icon.height) <= ReleaseStills.iconSide
        {
            kept.keep(ReleasePart(name: ReleaseFacts.iconName, mediaType: icon.kind.mediaType, content: icon.bytes))
        }
        var drawing: Drawing?
        for (number, combination) in plan.combinations.enumerated() {
            if drawing.map({ $0.locale == combination.locale }) != true {
                // A language that cannot be read has no stills.
                guard let own = combination.locale.map({ others[$0] }) ?? program else {
                    drawing = nil
                    continue
                }
                drawing = Drawing(own, combination.locale)
            }
            guard var now = drawing else { continue }
            let isWhole = draw(combination, number, &now)
            drawing = now
            guard isWhole else { return }
        }
    }

    /// - Returns: false if room or time did not suffice for all screens.
    private mutating func draw(
        _ combination: StillPlan.Combination, _ number: Int, _ drawing: inout Drawing
    ) -> Bool {
        let options = options(combination, drawing)
        let printer = PagePrinter(drawing.planned, options)
        let sheet: Int
        if let begun = drawing.sheet {
            sheet = begun
        } else {
            let own = BaseSheet.bytes + drawing.planned.sheet.bytes
            sheet = kept.begin(drawing.sheetName) { own + Array(ViewingSheet.text(options, for: $0).utf8) }
            drawing.sheet = sheet
        }
        var set = ReleaseFacts.StillSet()
        (set.size, set.direction, set.locale) = (combination.size, combination.direction, combination.locale)
        set.isUsualDirection = options.viewport.direction == .init(of: combination.locale ?? "")
        set.scheme = plan.onlyScheme
        set.parts = Array(repeating: nil, count: facts.screens.count)
        defer { if set.parts.contains(where: { $0 != nil }) { facts.stills.append(set) } }
        for place in facts.screens.indices where set.parts.count(where: { $0 != nil }) < ReleaseStills.mostScreens {
            guard ContinuousClock.now < deadline else {
                facts.lacksTime = true
                return false
            }
            // A screen without a still has its name and its ways all the same.
            guard let view = view(at: place, &drawing) else { continue }
            let page = printer.page(view, shown)
            if let same = drawing.pages[place, default: [:]][page.html] {
                set.parts[place] = same
                continue
            }
            let name = number == 0 ? "screen-\(place + 1).html" : "screen-\(place + 1)-\(number + 1).html"
            if kept.keep(page, named: name, on: sheet) {
                drawing.pages[place, default: [:]][page.html] = name
            } else {
                // Of what was wanted most, names of pictures are better than nothing.
                guard number == 0, kept.keep(printer.page(view, NoAssets()), named: name, on: sheet) else {
                    return false
                }
            }
            set.parts[place] = name
            if number == 0 {
                drawnCount += 1
                facts.screens[place].still = name
                if !view.title.isEmpty { facts.screens[place].title = ReleaseFacts.shown(view.title) }
            }
        }
        return true
    }

    private func options(_ combination: StillPlan.Combination, _ drawing: Drawing) -> PageOptions {
        let points = combination.size.points
        var viewport = Viewport(size: Size(width: Double(points.width), height: Double(points.height)))
        viewport.direction = combination.direction == .rightToLeft ? .rightToLeft : .leftToRight
        var options = PageOptions(viewport: viewport)
        options.scheme = plan.onlyScheme.flatMap { Viewport.Scheme(rawValue: $0.rawValue) }
        options.viewport.scheme = options.scheme ?? .light
        options.locale = combination.locale ?? ""
        options.sheets = [drawing.sheetName]
        options.rowLimit = ReleaseStills.rowCount
        options.shownRowCount = ReleaseStills.rowCount
        return options
    }

    /// The view of a screen, which is the same on every device.
    private func view(at place: Int, _ drawing: inout Drawing) -> View? {
        if let known = drawing.views[place] { return known }
        let name = facts.screens[place].name
        var view: View?
        if let scene = drawing.program.scenes[name], scene.nodes.count <= ReleaseStills.nodeLimit {
            let program = place == 0 ? drawing.program : drawing.program.opened(at: name)
            var environment = Environment(now: now)
            if let locale = drawing.locale { environment.locale = locale }
            let first = FirstView(program, environment, until: deadline).view
            if !first.root.children.isEmpty, first.nodeCount <= ReleaseStills.nodeLimit { view = first }
        }
        drawing.views[place] = .some(view)
        return view
    }

    /// A program in one language, with what was drawn of it.
    private struct Drawing {
        let program: Program
        let planned: PlannedProgram
        let locale: String?
        let sheetName: String
        var sheet: Int?
        var views: [Int: View?] = [:]
        /// The parts of each screen, by their content.
        var pages: [Int: [[UInt8]: String]] = [:]

        init(_ program: Program, _ locale: String?) {
            self.program = program
            self.locale = locale
            planned = PlannedProgram(program)
            sheetName = locale.map { "still-\($0).css" } ?? "still.css"
        }
    }

    /// The most bytes of the outline of one interface, model or catalogue, and of all together, and their number.
    private static let outlineLimit = 64 << 10
    static let outlinesLimit = 256 << 10
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
}

/// The view of a program that has started, and has what it asked for then.
private struct FirstView {
    private(set) var view: View

    /// The work of one event at most, the steps of all, the rounds of requests, and the seconds on the widget's clock.
    private static let fuel = 500_000
    private static let steps = 2_000
    private static let rounds = 20
    private static let seconds = 60.0

    /// Stubs answer after their own delays. A server is asked for nothing: its answer is that of a page without a network.
    init(_ program: Program, _ environment: Environment, until deadline: ContinuousClock.Instant) {
        var budget = Budget()
        budget.isTimeOver = { ContinuousClock.now >= deadline }
        budget.fuel = min(budget.fuel, FirstView.fuel)
        let instance = WidgetInstance(program, environment: environment, budget: budget)
        var driver = WidgetDriver(instance, clock: .script, chance: { 0 })
        driver.send(.start)
        var (steps, rounds) = (FirstView.steps, FirstView.rounds)
        let end = environment.now + FirstView.seconds
        while rounds > 0, steps > 0, !budget.isTimeOver(), !driver.settle(within: end - driver.now, &steps) {
            rounds -= 1
            let requests = driver.beginRequests()
            if requests.isEmpty { break }
            for outgoing in requests { driver.finish(outgoing.number, .denied(outgoing.request)) }
        }
        view = driver.view()
    }
}

/// The pictures of stills, those that are not too large. One that several screens show is read once.
private final class StillPictures: ViewAssets {
    private struct Key: Hashable {
        let name: String
        let scale: Int
        let isDark: Bool
    }

    private let pictures: BundlePictures
    private let known: Guarded<(answers: [Key: PictureAnswer], byteCount: Int)> = Guarded(([:], 0))

    private static let byteLimit = 16 << 20

    init(_ pictures: BundlePictures) {
        self.pictures = pictures
    }

    func image(_ name: String, scale: Int, isDark: Bool) -> PictureAnswer {
        let key = Key(name: name, scale: scale, isDark: isDark)
        if let answer = known.withLock({ $0.answers[key] }) { return answer }
        let (answer, byteCount) = read(name, scale: scale, isDark: isDark)
        known.withLock { known in
            if known.byteCount + byteCount > StillPictures.byteLimit { known = ([:], 0) }
            known.answers[key] = answer
            known.byteCount += byteCount
        }
        return answer
    }

    private func read(_ name: String, scale: Int, isDark: Bool) -> (PictureAnswer, byteCount: Int) {
        switch pictures.picture(name, scale: scale, isDark: isDark, shrunkFrom: ReleaseStills.pictureAim) {
        case .file(let file) where file.bytes.count > ReleaseStills.pictureLimit:
            return (.unusable("it has more than \(ByteCountText.of(ReleaseStills.pictureLimit))"), 0)
        case .file(let file) where file.width > ReleaseStills.pixelLimit / max(file.height, 1):
            return (.unusable("it has more than \(ReleaseStills.pixelLimit) pixels"), 0)
        case .file(let file):
            let picture = PictureFile(
                file.bytes, file.kind.pictureKind, width: file.width, height: file.height, scale: file.scale)
            return (.file(picture), file.bytes.count)
        case .missing: return (.missing, 0)
        case .unusable(let reason): return (.unusable(reason), 0)
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
