internal import JSONText
internal import WidgetBytes
package import WidgetContract

/// A widget written in Swift: its screens as documents, and its closures.
///
/// One turn runs at a time. What code does at other times waits in an inbox for the next turn.
package final class DeclaredProgram: NativeCode, @unchecked Sendable {
    enum Post {
        case change(AnyStateBox)
        case command(NativeCommand)
        case screen(NewScreen)
        case remark(NativeRemark)
        case replacement(NewScreen)
        case returnToFirst
    }

    struct Screen {
        var widget: any Widget
        let parameter: ItemName?
        var document: JSONValue
        var states: [AnyStateBox] = []
        var owned: Set<ObjectIdentifier> = []
        /// The states that its tree was built with.
        var reads: Set<ObjectIdentifier> = []
        var handlers: [(name: String, handler: WidgetHandler, what: String)] = []
    }

    private struct Inbox: @unchecked Sendable {
        var posts: [Post] = []
        var isInTurn = false
        var notice: (@Sendable () -> Void)?
    }

    private let inbox = Guarded(Inbox())
    /// Held while the program is read or a turn runs.
    private let turnLock = Guarded(0)

    package let identifier: String
    let context: WidgetContext
    private var first = ""
    private(set) var screens: [String: Screen] = [:]
    private var order: [String] = []
    private var screenKeys: [String: String] = [:]
    /// The screens that are being built because another one shows them.
    private var building: Set<String> = []
    private var slots: [String: AnyStateBox] = [:]
    private var boxes: [String: AnyStateBox] = [:]
    private var owners: [ObjectIdentifier: String] = [:]
    private var handlers: [String: (WidgetContext, JSONValue) -> Void] = [:]
    /// The numbers of the closures of each screen, by their places.
    private var handlerNumbers: [String: [String: Int]] = [:]
    /// The screens that code has shown. They are not among those of the beginning.
    private var shown: Set<String> = []
    /// Those of them that were pushed.
    private var pushed: Set<String> = []
    private(set) var faults: [NativeRemark] = []
    private var open: [OpenScreen] = []
    private var changedDocuments: [String] = []

    /// A screen of the host, and the values of states that it has.
    private struct OpenScreen {
        let number: Int
        let scene: String
        var values: [String: JSONValue] = [:]
    }

    private static let screenLimit = 200
    private static let faultLimit = 100

    package init(_ identifier: String, first: any Widget, context: WidgetContext = WidgetContext()) {
        self.identifier = identifier
        self.context = context
        self.first = add(first, parameter: nil, wanted: DeclaredProgram.name(of: first), isFirst: true)
    }

    /// Everything that is known before the first turn.
    package var declaration: NativeDeclaration {
        turnLock.withLock { _ in
            NativeDeclaration(
                identifier, first: first,
                documents: order.compactMap { name in screens[name].map { NativeNamedValue(name, $0.document) } },
                handlers: order.flatMap { name in
                    (screens[name]?.handlers ?? []).map {
                        NativeDeclaration.Handler(
                            $0.name, what: $0.what, file: $0.handler.place.file, line: $0.handler.place.line)
                    }
                } + codeReasons, faults: faults)
        }
    }

    /// The reasons besides closures why a screen needs its program.
    private var codeReasons: [NativeDeclaration.Handler] {
        order.flatMap { name -> [NativeDeclaration.Handler] in
            guard let screen = screens[name] else { return [] }
            let derived = screen.states.filter(\.isDerived).compactMap(\.slot)
            let read = screen.reads.compactMap { id in screen.states.first { ObjectIdentifier($0) == id }?.slot }
            let shared = screen.states.filter { !screen.owned.contains(ObjectIdentifier($0)) && !$0.isDerived }
            return derived.map { .init("\(name)/\($0)", what: "a value that code computes in \(name)") }
                + read.sorted().map { .init("\(name)/\($0)", what: "\(name) is built with the value of \($0)") }
                + shared.compactMap(\.slot).map {
                    .init("\(name)/\($0)", what: "\(name) has the state \($0) of another screen")
                }
        }
    }

    // MARK: - Screens

    /// The name of a screen by its type.
    static func name(of widget: any Widget) -> String {
        var type: Any.Type = Swift.type(of: widget)
        if case .composite(let view) = widget.element.subject { type = Swift.type(of: view) }
        var name = String("\(type)".prefix { $0 != "<" })
        for ending in ["Widget", "Screen", "View"] where name.hasSuffix(ending) && name != ending {
            name.removeLast(ending.count)
            break
        }
        return name
    }

    private func add(_ widget: any Widget, parameter: ItemName?, wanted: String, isFirst: Bool = false) -> String {
        var name = wanted
        var number = 2
        while screens[name] != nil {
            name = "\(wanted)\(number)"
            number += 1
        }
        // The name is taken while its own actions are read, which may lead to it.
        screens[name] = Screen(widget: widget, parameter: parameter, document: JSONValue(.null))
        order.append(name)
        build(name)
        return name
    }

    /// Writes a screen, or writes it again.
    ///
    /// - Returns: true if it is another document.
    @discardableResult
    private func build(_ name: String) -> Bool {
        guard let screen = screens[name] else { return false }
        // Values that code computes are made anew, and keep their names.
        for box in screen.states where box.isDerived && !isShared(box, by: name) {
            if let slot = box.slot, slots[slot] === box { slots[slot] = nil }
        }
        let log = StateReads()
        let writer = SceneWriter(self, name)
        let document = StateReads.$current.withValue(log) {
            writer.document(screen.widget, parameter: screen.parameter)
        }
        let (reads, assigned) = log.end()
        for place in log.texts {
            fault(
                NativeRemark(
                    "\(name): A text of Swift has a value in it, which it does not follow",
                    hint: #"write (\"…\" as TextValue), so that the value is a part of the text"#, file: place.file,
                    line: place.line))
        }
        for (place, box) in log.values {
            guard let slot = writer.states.first(where: { ObjectIdentifier($0) == box })?.slot else { continue }
            fault(
                NativeRemark(
                    "\(name): A text has the value that \(slot) has while the screen is built, and needs its program for another",
                    hint: #"write "\($\#(slot))", which the text follows"#, file: place.file, line: place.line,
                    isError: false))
        }
        let isOther = screen.document != document
        var built = screen
        built.document = document
        built.states = writer.states
        built.owned = writer.owned
        built.handlers = writer.handlers
        built.reads = reads
        screens[name] = built
        for slot in assigned {
            fault(
                NativeRemark(
                    "\(name): The state \(slot) is assigned while the screen is built, and keeps its value",
                    hint: "assign it in a closure, such as that of onLoad"))
        }
        for (name, handler, _) in writer.handlers { handlers[name] = handler.run }
        for request in writer.requests {
            handlers[NativeCall.answerHandler(request.name, in: name)] = { [weak self] _, json in
                if let fault = request.fault(of: json) { self?.fault(fault) }
            }
        }
        return isOther
    }

    /// True if another screen has the computed value as well, under the name that it has now.
    private func isShared(_ box: AnyStateBox, by name: String) -> Bool {
        screens.contains { $0.key != name && $0.value.states.contains { $0 === box } }
    }

    /// The screen that an action of data shows. Equal screens are one document; one with closures or instances belongs
    /// to its place.
    func screen(
        _ value: Operand?, at place: String, _ make: (Operand) -> any Widget
    ) -> (name: String, parameter: String?) {
        let item = value == nil ? nil : ItemName("value")
        let widget = make(item.map { Operand($0) } ?? .null)
        let wanted = DeclaredProgram.name(of: widget)
        var key = ScreenKey.text(widget)
        let isOfPlace = key.contains(ScreenKey.byPlace)
        if isOfPlace { key = "\(place) \(wanted)" }
        if let known = screenKeys[key] {
            let parameter = screens[known]?.parameter
            // The closures of this build take the place of those of the one before.
            if isOfPlace, building.insert(known).inserted {
                defer { building.remove(known) }
                screens[known]?.widget = parameter.map { make(Operand($0)) } ?? widget
                if build(known), !changedDocuments.contains(known) { changedDocuments.append(known) }
            }
            return (known, parameter == nil ? nil : "value")
        }
        guard screens.count < DeclaredProgram.screenLimit else {
            fault(
                NativeRemark(
                    "There are more than \(DeclaredProgram.screenLimit) screens",
                    hint: "a screen that shows another one like it with other values is shown by a closure"))
            return (first, nil)
        }
        var name = wanted
        var number = 2
        while screens[name] != nil {
            name = "\(wanted)\(number)"
            number += 1
        }
        screenKeys[key] = name
        return (add(widget, parameter: item, wanted: name), item == nil ? nil : "value")
    }

    /// The name of a closure of a place in a screen: the same each time that the screen is built, because timers and
    /// other screens may still call it.
    func handlerName(_ place: String, in screen: String) -> String {
        let known = handlerNumbers[screen] ?? [:]
        let number = known[place] ?? known.count + 1
        handlerNumbers[screen, default: [:]][place] = number
        return "\(screen).\(number)"
    }

    // MARK: - States

    func hasSlot(_ name: String) -> Bool { slots[name] != nil }

    func slot(of box: AnyStateBox, wanted: String) -> String {
        if let slot = box.slot, slots[slot] === box { return slot }
        let isUsable = ExpressionText.isName(wanted) && !DeclaredProgram.words.contains(wanted)
        let plain = isUsable ? wanted : "\(wanted)State"
        var slot = plain
        var number = 2
        while slots[slot] != nil {
            slot = "\(plain)\(number)"
            number += 1
        }
        slots[slot] = box
        box.join(self, as: slot)
        return slot
    }

    /// The names that mean something else in documents.
    private static let words: Set<String> = [
        "content", "defaults", "environment", "input", "argument", "title", "cache", "value",
    ]

    /// The box of a state that is in a widget, which may be that of an earlier build.
    func mounted(_ state: any MountedState, _ key: String, wanted: String, in screen: String) -> AnyStateBox {
        if let earlier = boxes[key], earlier !== state.box, state.box.isMadeWhileBuilding, state.box.slot == nil,
            state.adopt(earlier)
        {
            return earlier
        }
        let box = state.box
        boxes[key] = box
        let identity = ObjectIdentifier(box)
        if owners[identity] == nil { owners[identity] = screen }
        _ = slot(of: box, wanted: wanted)
        return box
    }

    func owner(of box: AnyStateBox) -> String? { owners[ObjectIdentifier(box)] }

    // MARK: - The inbox

    func noteChange(of box: AnyStateBox) { post(.change(box)) }

    func remark(_ text: String) { post(.remark(NativeRemark(text))) }

    func fault(_ fault: NativeRemark) {
        if faults.count < DeclaredProgram.faultLimit, !faults.contains(fault) { faults.append(fault) }
    }

    func post(_ post: Post) {
        let notice = inbox.withLock { inbox -> (@Sendable () -> Void)? in
            inbox.posts.append(post)
            return inbox.isInTurn || inbox.posts.count > 1 ? nil : inbox.notice
        }
        notice?()
    }

    package func onNotice(_ notice: @escaping @Sendable () -> Void) {
        let isWaiting = inbox.withLock { inbox in
            inbox.notice = notice
            return !inbox.posts.isEmpty
        }
        if isWaiting { notice() }
    }

    private func takePosts(endingTurn: Bool) -> [Post] {
        inbox.withLock { inbox in
            defer { inbox.posts = [] }
            if endingTurn, inbox.posts.isEmpty { inbox.isInTurn = false }
            return inbox.posts
        }
    }

    // MARK: - Turns

    package func reply(to turn: NativeTurn) -> NativeReply {
        turnLock.withLock { _ in
            inbox.withLock { $0.isInTurn = true }
            var reply = NativeReply(to: turn.number)
            let faultCount = faults.count
            var changed: Set<ObjectIdentifier> = []
            take(turn, &changed)
            for call in turn.calls { handlers[call.handler]?(context(on: call.screen), call.argument) }
            while true {
                let posts = takePosts(endingTurn: true)
                if posts.isEmpty { break }
                for post in posts { handle(post, &reply, &changed) }
            }
            for box in slots.values where box.isDerived && box.refresh() { changed.insert(ObjectIdentifier(box)) }
            rebuild(&changed)
            reply.documents = changedDocuments.compactMap { name in
                screens[name].map { NativeNamedValue(name, $0.document) }
            }
            changedDocuments = []
            reply.commands = assignments(changed) + reply.commands
            reply.remarks += faults.dropFirst(faultCount)
            return reply
        }
    }

    private func context(on screen: Int?) -> WidgetContext {
        var context = self.context
        context.performer = ScreenPerformer(self, screen: screen)
        return context
    }

    /// Takes over the open screens and the values that have changed there.
    private func take(_ turn: NativeTurn, _ changed: inout Set<ObjectIdentifier>) {
        let known = Dictionary(open.map { ($0.number, $0) }) { first, _ in first }
        open = turn.screens.map { screen in
            var entry = known[screen.number] ?? OpenScreen(number: screen.number, scene: screen.scene)
            let isNew = known[screen.number] == nil
            for state in screen.changed {
                let isKnown = entry.values[state.name] == state.value
                entry.values[state.name] = state.value
                guard !isKnown, let box = slots[state.name] else { continue }
                // A state of another screen has its value there, which a new screen takes over.
                if isNew, owners[ObjectIdentifier(box)] != screen.scene {
                    changed.insert(ObjectIdentifier(box))
                } else if box.json != state.value, box.take(state.value) {
                    changed.insert(ObjectIdentifier(box))
                }
            }
            return entry
        }
    }

    private func handle(_ post: Post, _ reply: inout NativeReply, _ changed: inout Set<ObjectIdentifier>) {
        switch post {
        case .change(let box): changed.insert(ObjectIdentifier(box))
        case .command(let command): reply.commands += commands(command)
        case .remark(let remark): reply.remarks.append(remark)
        case .screen(let new): show(new, &reply)
        case .replacement(let new):
            let number = new.from ?? open.last?.number
            let place = open.firstIndex { $0.number == number } ?? 0
            guard place > 0 else {
                reply.remarks.append(NativeRemark("The first screen cannot be replaced", hint: "push the other one"))
                return
            }
            reply.commands.append(NativeCommand(.back(value: nil), screen: number))
            show(
                NewScreen(widget: new.widget, isPresented: false, from: open[place - 1].number, onDismiss: nil), &reply)
        case .returnToFirst:
            reply.commands += open.dropFirst().reversed().map { NativeCommand(.back(value: nil), screen: $0.number) }
        }
    }

    /// The commands for one of a closure. A screen that was pushed is left by going back, others are closed.
    private func commands(_ command: NativeCommand) -> [NativeCommand] {
        guard case .dismiss(let value) = command.action, let number = command.screen ?? open.last?.number else {
            return [command]
        }
        let back = NativeCommand(.back(value: value), screen: number)
        let scene = open.first { $0.number == number }?.scene ?? ""
        if pushed.contains(scene) || number == open.last?.number { return [back] }
        return [NativeCommand(command.action, screen: number), back]
    }

    private func show(_ new: NewScreen, _ reply: inout NativeReply) {
        let wanted = DeclaredProgram.name(of: new.widget)
        // A document of this name that is not open is replaced: its values are those of another time.
        let isOpen = Set(open.map(\.scene))
        var name = wanted
        var number = 2
        while isOpen.contains(name) || changedDocuments.contains(name)
            || screens[name] != nil && !shown.contains(name)
        {
            name = "\(wanted)\(number)"
            number += 1
        }
        if shown.insert(name).inserted { order.append(name) }
        forget(name)
        if new.isPresented { pushed.remove(name) } else { pushed.insert(name) }
        screens[name] = Screen(widget: new.widget, parameter: nil, document: JSONValue(.null))
        build(name)
        changedDocuments.append(name)
        var result: String?
        if let onDismiss = new.onDismiss {
            let handler = "result.\(name)"
            handlers[handler] = { [weak self] _, json in
                self?.handlers[handler] = nil
                onDismiss(json)
            }
            result = handler
        }
        reply.commands.append(
            NativeCommand(
                new.isPresented ? .present(scene: name, result: result) : .push(scene: name, result: result),
                screen: new.from))
    }

    /// Drops the states that a screen had when it was shown before.
    private func forget(_ name: String) {
        for box in screens[name]?.states ?? [] where box.isDerived && !isShared(box, by: name) {
            if let slot = box.slot, slots[slot] === box { slots[slot] = nil }
        }
        handlers["result.\(name)"] = nil
        handlerNumbers[name] = nil
        for (key, box) in boxes where key.hasPrefix("\(name)/") {
            boxes[key] = nil
            guard owners[ObjectIdentifier(box)] == name else { continue }
            owners[ObjectIdentifier(box)] = nil
            if let slot = box.slot, slots[slot] === box { slots[slot] = nil }
        }
    }

    /// Builds those screens again that were built with another value.
    private func rebuild(_ changed: inout Set<ObjectIdentifier>) {
        guard !changed.isEmpty else { return }
        for name in order where !(screens[name]?.reads.isDisjoint(with: changed) ?? true) {
            let before = Set((screens[name]?.states ?? []).map { ObjectIdentifier($0) })
            if build(name), !changedDocuments.contains(name) { changedDocuments.append(name) }
            // A state that the document did not have begins there with its first value.
            let new = (screens[name]?.states ?? []).filter { $0.isDerived || !before.contains(ObjectIdentifier($0)) }
            for place in open.indices where open[place].scene == name {
                for slot in new.compactMap(\.slot) { open[place].values[slot] = nil }
            }
            changed.formUnion(new.map { ObjectIdentifier($0) })
        }
    }

    /// The commands that give all open screens the values that the states have now.
    private func assignments(_ changed: Set<ObjectIdentifier>) -> [NativeCommand] {
        guard !changed.isEmpty else { return [] }
        var commands: [NativeCommand] = []
        for place in open.indices {
            for box in screens[open[place].scene]?.states ?? [] where changed.contains(ObjectIdentifier(box)) {
                guard let slot = box.slot else { continue }
                let value = box.json
                if let shown = open[place].values[slot], shown == value { continue }
                open[place].values[slot] = value
                commands.append(NativeCommand(.set(state: slot, to: value), screen: open[place].number))
            }
        }
        return commands
    }
}
