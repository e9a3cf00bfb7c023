/// The inheritance between a model's entities, computed once in time linear in their number, at any depth.
///
/// Entities are identified by their places in the model.
package struct Inheritance: Sendable {
    /// The place of the entity of each name; the first of two with one name.
    package let places: [String: Int]
    /// The direct descendants of each entity, in the model's order.
    package let children: [[Int]]
    /// Entities without a parent in the model.
    private let roots: [Int]
    /// The range of each entity in a depth-first order: ancestors before descendants, ending with the last descendant.
    /// Empty for entities that inherit from themselves, and for their descendants.
    private let reach: [Range<Int>]

    package init(_ model: DataModel) {
        let places = Self.places(of: model)
        var children: [[Int]] = Array(repeating: [], count: model.entities.count)
        var roots: [Int] = []
        for (place, entity) in model.entities.enumerated() {
            if let parent = entity.superentity.flatMap({ places[$0] }) {
                children[parent].append(place)
            } else {
                roots.append(place)
            }
        }
        var reach = Array(repeating: 0..<0, count: model.entities.count)
        var count = 0
        Self.walk(from: roots, children) { place in
            reach[place] = count..<count
            count += 1
        } leave: { place in
            reach[place] = reach[place].lowerBound..<count
        }
        (self.places, self.children, self.roots, self.reach) = (places, children, roots, reach)
    }

    static func places(of model: DataModel) -> [String: Int] {
        Dictionary(model.entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns true if the chain of ancestors ends; it does not in a cycle, or below one.
    package func isFinite(_ entity: Int) -> Bool { !reach[entity].isEmpty }

    /// Returns true if the entity is the other one, or inherits from it.
    package func isOrInherits(_ entity: Int, from other: Int) -> Bool {
        isFinite(entity) && reach[other].contains(reach[entity].lowerBound)
    }

    /// Visits every entity outside of cycles, depth first. Entities that were entered and not yet left are
    /// ancestors.
    package func walk(enter: (Int) -> Void, leave: (Int) -> Void) {
        Self.walk(from: roots, children, enter: enter, leave: leave)
    }

    /// Visits no entity twice: entities have one parent at most, and cycles are never entered.
    private static func walk(from roots: [Int], _ children: [[Int]], enter: (Int) -> Void, leave: (Int) -> Void) {
        var way: [(entity: Int, next: Int)] = []
        for root in roots {
            enter(root)
            way.append((root, 0))
            while let (entity, next) = way.last {
                if next < children[entity].count {
                    way[way.count - 1].next += 1
                    let child = children[entity][next]
                    enter(child)
                    way.append((child, 0))
                } else {
                    leave(entity)
                    way.removeLast()
                }
            }
        }
    }
}

extension Inheritance {
    /// The place of a relationship: its entity, and its index there.
    package typealias RelationshipPlace = (entity: Int, relationship: Int)

    /// Returns the inverse of each relationship of each entity: declared by the destination, or by its nearest
    /// ancestor. `nil` without one.
    package func inverses(in model: DataModel) -> [[RelationshipPlace?]] {
        var asked: [[RelationshipPlace]] = Array(repeating: [], count: model.entities.count)
        var inverses: [[RelationshipPlace?]] = []
        for (place, entity) in model.entities.enumerated() {
            inverses.append(Array(repeating: nil, count: entity.relationships.count))
            for (number, relationship) in entity.relationships.enumerated() where relationship.inverse != nil {
                guard let destination = places[relationship.destination] else { continue }
                asked[destination].append((place, number))
            }
        }
        // The relationships of the entity that was entered last, inherited ones included, by name; the nearest is the
        // last.
        var present: [String: [RelationshipPlace]] = [:]
        walk { place in
            for (number, relationship) in model.entities[place].relationships.enumerated() {
                present[relationship.name, default: []].append((place, number))
            }
            for (entity, number) in asked[place] {
                guard let name = model.entities[entity].relationships[number].inverse else { continue }
                inverses[entity][number] = present[name]?.last
            }
        } leave: { place in
            for relationship in model.entities[place].relationships { _ = present[relationship.name]?.popLast() }
        }
        return inverses
    }
}
