extension Store {
    /// What a store of one program is to another: records whose kinds both know stay with the values that fit, and
    /// screens stay with what was typed into elements of the same name.
    package func moved(from old: Program, to new: Program) -> Store {
        var store = Store(records: moved(records, to: new.model))
        store.defaults = defaults
        store.nextNumber = nextNumber
        for screen in screens {
            guard let scene = new.scenes[screen.scene], let before = old.scenes[screen.scene] else { break }
            var kept = Screen(number: screen.number, scene: screen.scene, level: screen.level, hasBar: screen.hasBar)
            kept.content = screen.content.moved(to: store.records)
            kept.statuses = Dictionary(scene.statuses.map { ($0.id, StatusState()) }) { first, _ in first }
            // In their order, as several can go to one.
            for (key, value) in screen.slots.sorted(by: { $0.key.node < $1.key.node }) where key.item == nil {
                guard let name = before.node(key.node)?.identifier, case .node(let id) = scene.names[name] else {
                    continue
                }
                kept.slots[SlotKey(id, key.property)] = value
            }
            for source in scene.sources {
                guard let state = screen.sources[source.id] else { continue }
                kept.sources[source.id, default: SourceState()].search = state.search
                kept.sources[source.id, default: SourceState()].filter = state.filter
            }
            kept.searching = screen.searching
            store.screens.append(kept)
        }
        // Screens from one on that is gone would have nothing to return to.
        return store
    }

    private func moved(_ table: RecordTable, to model: EntityModel) -> RecordTable {
        var edit = RecordEdit(RecordTable(model: model))
        // What the new one does not know is still kept, under its number.
        edit.reserve(table.nextID - 1)
        for record in table.all {
            let entity = table.model.entities[record.entity]
            guard let place = model.place(of: entity.name) else { continue }
            let known = model.entities[place]
            var fields = Record(id: record.id, new: place, of: model).fields
            for (slot, property) in known.properties.enumerated() {
                guard let before = entity.slot(property.name), entity.properties[before].isSameKind(as: property) else {
                    continue
                }
                fields[slot] = record.fields[before]
            }
            edit.restore(Record(id: record.id, entity: place, fields: fields))
        }
        return edit.table
    }
}

extension EntityModel.Property {
    fileprivate func isSameKind(as other: EntityModel.Property) -> Bool {
        switch (self, other) {
        case (.attribute(let first), .attribute(let second)): first.kind == second.kind
        case (.relationship(let first), .relationship(let second)):
            first.destination == second.destination && first.isToMany == second.isToMany
        default: false
        }
    }
}
