internal import WidgetPredicates

/// Changes of stored records by actions, without a request.
extension Reducer {
    /// Makes all changes of an action, or none. Signals and what follows are those of a request that has succeeded.
    mutating func change(
        _ action: ServiceAction, _ service: String, _ argument: Value, sender: SenderKey?, screen: Int?, chained: Int,
        _ origin: RequestOrigin?
    ) {
        var edit = recordEdit
        do throws(RecordMapper.Failure) {
            for change in action.changes { try apply(change, argument, &edit) }
            try edit.checkWeight()
        } catch {
            return fail(action, error.description, error.isBudget ? .recordBudget : .storing, sender: sender, origin)
        }
        store.records = edit.table
        note(.stored, "\(action.name): \(edit.changes.count) records changed")
        if action.nextAction != nil {
            let request = ServiceRequest(method: action.method, url: "", headers: [], body: [], parts: [])
            pending.append(
                .chain(
                    PendingRequest(
                        number: store.number(), id: requestID(action.name, sender), action: action.name,
                        service: service, argument: argument, sender: sender, screen: screen, chained: chained,
                        request: request), action))
        }
        for phase in [SignalPhase.success, .ready, .start] {
            pending.append(.signal(Signal(name: action.name, phase: phase, sender: sender, origin: origin)))
        }
    }

    /// Reports an action whose changes cannot be made, and notifies its statuses of the failure.
    mutating func fail(
        _ action: ServiceAction, _ fault: String, _ code: Finding.Code = .storing, sender: SenderKey?,
        _ origin: RequestOrigin?
    ) {
        report(.error, code, "\(action.name): \(fault)", at: action.place, hint: "no record is changed")
        pending.append(.signal(Signal(name: action.name, phase: .error, sender: sender, error: fault, origin: origin)))
        pending.append(.signal(Signal(name: action.name, phase: .start, sender: sender, origin: origin)))
    }

    private mutating func apply(
        _ change: RecordChange, _ argument: Value, _ edit: inout RecordEdit
    ) throws(RecordMapper.Failure) {
        guard let place = edit.model.place(of: change.entity) else {
            throw RecordMapper.Failure("the model has no \(change.entity)")
        }
        let ids = try matching(change.condition, place, argument, edit)
        meter.spend(Meter.record * ids.count)
        guard let values = change.values else {
            guard edit.delete(ids).isEmpty else {
                throw RecordMapper.Failure("a relationship denies the deletion of one \(change.entity)")
            }
            return
        }
        let predicates = ExpressionContext(environment, program.transformers, meter: meter).predicates
        for id in ids {
            guard let entity = edit[id].map({ edit.model.entities[$0.entity] }) else { continue }
            var fitting: [(slot: Int, value: Value)] = []
            for (name, choice) in values {
                let value: Value =
                    switch choice {
                    case .value(let value): value
                    case .template(let template): template.value(root: argument, environment: predicates)
                    }
                guard let slot = entity.slot(name), case .attribute(let attribute) = entity.properties[slot],
                    let kept = attribute.kind.fitting(value)
                else { throw RecordMapper.Failure("\(entity.name) cannot have \(name) set to \(value.shown.excerpt)") }
                fitting.append((slot, kept))
            }
            edit.set(fitting, of: id)
        }
    }

    /// The records of an entity that meet a condition. In it, `$name` is a member of the argument, and `$argument` the
    /// argument itself.
    private func matching(
        _ condition: CompiledPredicate?, _ entity: Int, _ argument: Value, _ edit: RecordEdit
    ) throws(RecordMapper.Failure) -> [RecordID] {
        // Each change copies the pages and lists of the table, at a cost by the number of records.
        meter.spend(edit.base.count / 8)
        let table = edit.table
        let ids = table.ids(of: entity)
        guard let condition else { return ids }
        meter.spend(Meter.item * ids.count)
        let predicates = ExpressionContext(environment, program.transformers, meter: meter).predicates
        do throws(PredicateError) {
            var variables: [String: Value] = [:]
            for case .variable(let name) in condition.tree.nodes.map({ $0.kind }) {
                variables[name] = name == "argument" ? argument : argument.member(name)
            }
            let bindings = try condition.bind(variables)
            var found: [RecordID] = []
            for id in ids {
                guard let record = RecordObject(id, in: table) else { continue }
                if try condition.holds(for: .object(record), bindings, environment: predicates) { found.append(id) }
            }
            return found
        } catch {
            throw RecordMapper.Failure(error.sentence)
        }
    }
}
