internal import JSONText
internal import WidgetBytes
internal import WidgetContract
internal import WidgetCore
internal import WidgetDocuments
internal import WidgetPredicates

/// The turns of native code, after each event.
extension WidgetInstance {
    /// Asks the code until nothing is new to it, and does what it wants.
    ///
    /// - Parameter isAsked: true if the code has asked for a turn.
    /// - Returns: the steps that this took.
    mutating func takeTurns(isAsked: Bool = false) -> Int {
        var isAsked = isAsked
        var steps = 0
        for _ in 0..<NativeRun.roundLimit {
            guard let code = native?.program.code, mayAsk() else { return steps }
            guard let (turn, known) = question(isAsked: isAsked) else { return steps }
            isAsked = false
            native?.asked(turn)
            steps += NativeRun.turnCost
            do throws(NativeFailure) {
                let reply = try checked(try code.reply(to: turn), to: turn)
                native?.answered(turn, knowing: known)
                carryOut(reply, &steps)
            } catch {
                native?.failed(error)
                report(error)
                return steps
            }
            guard steps <= budget.unrestStepCount else { break }
        }
        guard steps > budget.unrestStepCount || question() != nil else {
            return steps
        }
        native?.calls = []
        add([
            Finding(
                .error, .stepBudget, "One event leads to more turns of the widget's program than it may",
                hint: "a closure that runs because of a change makes that change again")
        ])
        return steps
    }

    private func question(isAsked: Bool = false) -> (turn: NativeTurn, known: [Int: NativeRun.KnownScreen])? {
        native?.next(store, in: program, isAsked: isAsked)
    }

    /// True unless the code has failed for good. Calls of it are lost then, and a notice says why.
    private mutating func mayAsk() -> Bool {
        guard let end = native?.end else { return true }
        if native?.calls.isEmpty == false { nativeNotice = "nothing happened: \(end)" }
        native?.calls = []
        return false
    }

    private func checked(_ reply: NativeReply, to turn: NativeTurn) throws(NativeFailure) -> NativeReply {
        guard reply.turn == turn.number else {
            throw .unreadable("it answers turn \(reply.turn), and \(turn.number) was asked")
        }
        for (count, limit, what) in [
            (reply.documents.count, NativeReply.documentLimit, "documents"),
            (reply.commands.count, NativeReply.commandLimit, "commands"),
            (reply.remarks.count, NativeReply.remarkLimit, "remarks"),
        ] where count > limit {
            throw .unreadable("it has \(count) \(what), and may have \(limit)")
        }
        return reply
    }

    private mutating func report(_ failure: NativeFailure) {
        let text = "\(failure)".excerpt
        nativeNotice = text
        add([
            Finding(
                .error, .nativeFault, text.prefix(1).uppercased() + text.dropFirst(),
                hint: native?.end == nil ? nil : "it is not asked again; the last view stays")
        ])
    }

    // MARK: - Replies

    private mutating func carryOut(_ reply: NativeReply, _ steps: inout Int) {
        add(reply.remarks.map(Finding.init))
        if !reply.documents.isEmpty { take(reply.documents) }
        for command in reply.commands {
            guard steps <= budget.unrestStepCount else { return }
            steps += perform(command)
        }
    }

    /// Reads the program again with documents that are new or others.
    private mutating func take(_ documents: [NativeNamedValue]) {
        guard let changed = native?.program.with(documents) else { return }
        do throws(DocumentError) {
            let program = try changed.program()
            if let lost = store.screens.first(where: { program.scenes[$0.scene] == nil }) {
                add(program.diagnostics)
                add([
                    Finding(
                        .error, .nativeFault, "The document of the open screen \(lost.scene.excerpt) cannot be read",
                        hint: "the one from before is shown")
                ])
                return
            }
            native?.program = changed
            proceed(with: program)
        } catch {
            add([
                Finding(
                    .error, .nativeFault, "The documents of the program cannot be read: \(error)",
                    hint: "those from before are shown")
            ])
        }
    }

    /// - Returns: the steps that the command took.
    private mutating func perform(_ command: NativeCommand) -> Int {
        guard let number = command.screen ?? store.screens.last?.number else { return 1 }
        guard let screen = store.screens.first(where: { $0.number == number }), let scene = program.scenes[screen.scene]
        else {
            // A screen may have been closed since.
            guard number < 1 || number > (native?.highestScreen ?? 0) else { return 1 }
            add([Finding(.error, .nativeFault, "The program names the screen \(number), which was never open")])
            return 1
        }
        do throws(NativeCommandSteps.Fault) {
            let steps = try NativeCommandSteps(program, scene, budget).steps(command.action)
            // A screen below another one cannot be left.
            if case .back = command.action, number != store.screens.last?.number { return 1 }
            let transition = reduce(.perform(steps, screen: number, isOpening: native?.isOpening ?? false))
            if let refusal = transition.refusal {
                add([
                    Finding(.warning, .nativeFault, "The command \(command.action.name) has no effect: \(refusal)")
                ])
            }
            learn(command.action, number)
            return transition.stepCount + 1
        } catch {
            add([error.diagnostic])
            return 1
        }
    }

    /// The code knows what its own commands do: it is not asked about them.
    private mutating func learn(_ action: NativeCommand.Action, _ number: Int) {
        guard native?.known[number] != nil else { return }
        switch action {
        case .set(let state, let json):
            // A state that did not take the value is said again.
            if let value = NativeValues.value(json, budget) { native?.known[number]?.states[state] = value }
        case .append(let state, _), .update(let state, _, _), .remove(let state, _):
            let value = store.screens.first { $0.number == number }?.states[state]
            native?.known[number]?.states[state] = value
        default: return
        }
    }
}

extension WidgetDriver {
    /// Gives the code behind the widget a turn, because it has asked for one.
    package mutating func takeNotice() {
        advance()
        instance.takeNotice()
        carryOut()
    }

    /// The reason why the code behind the widget did nothing, once.
    package mutating func takeNativeNotice() -> String? { instance.takeNativeNotice() }
}
