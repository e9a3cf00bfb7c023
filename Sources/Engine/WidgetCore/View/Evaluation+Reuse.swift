internal import WidgetPredicates

/// Rows of repetitions that are evaluated again only if something that they have read is another now.
extension Evaluation {
    /// The nodes of all items. Rows with the same inputs come from the last view, and take their share of the budget as
    /// if they had been evaluated.
    mutating func reusedRows(_ run: inout RepetitionRun) -> NodeList {
        let key = EvaluationCache.ListKey(screen: scope.screen.number, node: run.id)
        var known = cache.takeRows(key)
        if cache.movedMarks.contains(where: { isWithin($0, run.id) }) { known = nil }
        let (item, scope) = (run.item, scope)
        let stored: (String) -> Value? = { name in
            guard let item else { return scope.stored(name) }
            return item.stored(name)
        }
        let hasRecords = !scope.program.model.entities.isEmpty
        let changed = known?.takeChanges(hasRecords: hasRecords, stored) ?? .max
        let noting = RowNoting(known?.inputs.map { $0.name } ?? [], scope)
        run.noting = noting
        var next: RepeatedRows
        let same: SameItems?
        do throws(PredicateError) {
            (next, same) = try countedItems(run, noting, known, changed)
        } catch {
            report(error, run.repetition)
            return []
        }
        complain(about: next.items, run.repetition)
        if next.items.values.isEmpty { return NodeList(instead(run)) }
        next.inputs = known?.inputs ?? []
        let isComplete: Bool
        // Taken out, so that rows are changed in place.
        if let known = known.take() {
            let plan = RowSources(next.items, known, same, changed, cache.editedItems, at: scope.environment.now).plan
            isComplete = fill(&next, run, from: known, plan)
        } else {
            isComplete = fill(&next, run)
        }
        let views = next.views
        guard isComplete, !isExhausted() else { return views }
        next.inputs += noting.reads.names.dropFirst(next.inputs.count).map { name in
            RepeatedRows.Input(name: name, value: stored(name)?.comparable(hasRecords: hasRecords))
        }
        cache.rows[key] = next
        return views
    }

    private func isWithin(_ id: NodeID, _ around: NodeID) -> Bool {
        var next: NodeID? = id
        var count = 0
        while let node = next, count <= scene.nodes.count {
            if node == around { return true }
            next = scene.node(node)?.parent
            count += 1
        }
        return false
    }

    // MARK: - Items

    /// The items and their keys, as they are or evaluated again; without rows.
    private mutating func countedItems(
        _ run: RepetitionRun, _ noting: RowNoting, _ known: RepeatedRows?, _ changed: UInt64
    ) throws(PredicateError) -> (RepeatedRows, SameItems?) {
        let now = scope.environment.now
        // Keys may be valid where the list is not: it has other items now. Those of records may be others at any time.
        let hasRecords = !scope.program.model.entities.isEmpty
        let old = known.flatMap {
            !hasRecords && $0.keyInputs & changed == 0 && !$0.isLate($0.itemsValidUntil, at: now) ? $0 : nil
        }
        if let old, old.listInputs & changed == 0, take(RepeatedRows.Cost(fuel: old.fuelOfItems)) {
            return (old.withoutRows(at: now), nil)
        }
        var around = run.outer
        if case .object(let object) = around { around = .object(NotedScope(object, noting.reads)) }
        noting.begin()
        if run.repetition.dependsOnClock { noting.log.expires(at: now) }
        var before = spent
        let values = try RepeatedItems.values(run.repetition, in: around, noting.context, limit: budget.rowCount)
        let listFuel = spent.fuel - before.fuel
        let listInputs = noting.reads.take()
        var (numbers, keyFuels, keyFuel): ([Int], [Int], Int) = ([], [], 0)
        let same = old.map { SameItems(values.shown, since: $0.items.values) }
        if run.repetition.key == nil {
            // Items are distinguished by their places.
        } else if let old, let same, same.offset == 0, take(RepeatedRows.Cost(fuel: old.keyFuel(without: same.middle)))
        {
            // Most often, one item has other members, and the same key.
            (numbers, keyFuels, keyFuel) = (old.items.numbers, old.keyFuels, old.keyFuel)
            for place in same.middle where !same.isSame(place, place) || !take(.init(fuel: keyFuels[place])) {
                before = spent
                let number = try RepeatedItems.number(
                    of: values.shown[place], run.repetition, in: around, noting.context)
                let fuel = spent.fuel - before.fuel
                if numbers[place] != number { numbers[place] = number }
                if keyFuels[place] != fuel {
                    keyFuel += fuel - keyFuels[place]
                    keyFuels[place] = fuel
                }
            }
        } else {
            numbers.reserveCapacity(values.shown.count)
            keyFuels.reserveCapacity(values.shown.count)
            var place = 0
            while place < values.shown.count {
                // Those at both ends all at once.
                if let old, let known = same?.run(place),
                    take(RepeatedRows.Cost(fuel: old.keyFuels[known].reduce(0, +)))
                {
                    numbers += old.items.numbers[known]
                    keyFuels += old.keyFuels[known]
                    place += known.count
                    continue
                }
                before = spent
                let item = values.shown[place]
                numbers.append(try RepeatedItems.number(of: item, run.repetition, in: around, noting.context))
                keyFuels.append(spent.fuel - before.fuel)
                place += 1
            }
            keyFuel = keyFuels.reduce(0, +)
        }
        let turns = numbers == old?.items.numbers ? old?.items.turns : nil
        var next = RepeatedRows(
            RepeatedItems(values, numbers: numbers, of: run.id, outer: run.item?.key, turns: turns), now: now)
        (next.listFuel, next.keyFuels, next.keyFuel) = (listFuel, keyFuels, keyFuel)
        next.listInputs = listInputs
        next.keyInputs = noting.reads.take() | (old?.keyInputs ?? 0)
        next.itemsValidUntil = min(noting.log.summary.validUntil, old?.itemsValidUntil ?? .infinity)
        return (next, same)
    }

    // MARK: - Rows

    /// Evaluates all rows.
    ///
    /// - Returns: false if the budget does not suffice for all.
    private mutating func fill(_ next: inout RepeatedRows, _ run: RepetitionRun) -> Bool {
        let count = next.items.values.count
        next.reserve(count)
        var views: [ViewNode] = []
        views.reserveCapacity(count * run.repetition.template.count)
        defer { next.views = NodeList(views) }
        return evaluate(0..<count, &next, &views, run)
    }

    private mutating func evaluate(
        _ places: Range<Int>, _ next: inout RepeatedRows, _ views: inout [ViewNode], _ run: RepetitionRun
    ) -> Bool {
        for place in places {
            if isExhausted() { return false }
            next.append(row(place, of: next.items, run, to: &views))
        }
        return true
    }

    private mutating func fill(
        _ next: inout RepeatedRows, _ run: RepetitionRun, from known: consuming RepeatedRows, _ plan: RowPlan
    ) -> Bool {
        if plan.isInPlace { return replace(&next, run, in: known, plan) }
        let count = next.items.values.count
        next.reserve(count)
        var views: [ViewNode] = []
        views.reserveCapacity(count * run.repetition.template.count)
        defer { next.views = NodeList(views) }
        let starts = known.viewStarts
        for segment in plan.segments {
            if isExhausted() { return false }
            guard let old = segment.old else {
                if !evaluate(segment.places, &next, &views, run) { return false }
                continue
            }
            let places = old..<(old + segment.places.count)
            if take(known.cost(of: places)) {
                for row in known.rows[places] { next.append(row) }
                views += known.views[starts[places.lowerBound]..<starts[places.upperBound]]
                continue
            }
            // The budget ends within these rows, at the same row as without a cache.
            for (place, old) in zip(segment.places, places) {
                if isExhausted() { return false }
                if take(known.rows[old].cost) {
                    next.append(known.rows[old])
                    views += known.views[starts[old]..<starts[old + 1]]
                } else {
                    next.append(row(place, of: next.items, run, to: &views))
                }
            }
        }
        return true
    }

    /// Evaluates few rows again, where all others stay in their places.
    private mutating func replace(
        _ next: inout RepeatedRows, _ run: RepetitionRun, in known: consuming RepeatedRows, _ plan: RowPlan
    ) -> Bool {
        next.takeRows(of: &known)
        var start = 0
        for segment in plan.segments {
            let isReused = segment.old != nil && !isExhausted() && take(next.cost(of: segment.places))
            if isReused {
                start += next.viewCount(of: segment.places)
                continue
            }
            for place in segment.places {
                let count = next.rows[place].viewCount
                let isExhausted = isExhausted()
                if !isExhausted, segment.old != nil, take(next.rows[place].cost) {
                    start += count
                    continue
                }
                guard !isExhausted else {
                    next.views = NodeList(Array(next.views.prefix(start)))
                    return false
                }
                var made: [ViewNode] = []
                next.set(row(place, of: next.items, run, to: &made), at: place)
                if made.count == 1, count == 1 {
                    next.views.replace(at: start, with: made[0])
                } else {
                    let behind = next.views[(start + count)...]
                    next.views = NodeList(next.views.prefix(start) + made + behind)
                }
                start += made.count
            }
        }
        return true
    }

    /// Evaluates one row, and notes what it depends on.
    private mutating func row(
        _ place: Int, of items: RepeatedItems, _ run: RepetitionRun, to views: inout [ViewNode]
    ) -> RepeatedRows.Row {
        guard let noting = run.noting else { return RepeatedRows.Row() }
        let (before, reports, count) = (spent, reportCount, views.count)
        noting.begin()
        appendRow(place, of: items, run, to: &views)
        let read = noting.log.summary
        var row = RepeatedRows.Row(inputs: noting.reads.take(), validUntil: read.validUntil)
        row.cost = spent - before
        row.viewCount = views.count - count
        // What is reported has to be reported by each view; records and other objects answer for one moment.
        if reportCount != reports || !read.records.isEmpty || items.values[place].comparable(hasRecords: true) == nil {
            row.validUntil = -.infinity
        }
        return row
    }
}
