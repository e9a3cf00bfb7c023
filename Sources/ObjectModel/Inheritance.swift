/// Which entities of a model inherit from which: found out once, in time with their number, however deep they lie.
///
/// Entities are told by their places in the model.
package struct Inheritance: Sendable {
    /// Where the entity of a name stands; of two with one name, the first.
    package let places: [String: Int]
    /// The entities that inherit directly, in the model's order.
    package let children: [[Int]]
    /// Those that inherit from none that is there.
    private let roots: [Int]
    /// Where each stands among all, ancestors before their descendants, and where those below it end. Empty for what
    /// inherits from itself, and for what is below that.
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

    /// Whether the way up from an entity ends; in a circle, or below one, it does not.
    package func isFinite(_ entity: Int) -> Bool { !reach[entity].isEmpty }

    /// Whether it is the other entity, or inherits from it.
    package func isOrInherits(_ entity: Int, from other: Int) -> Bool {
        isFinite(entity) && reach[other].contains(reach[entity].lowerBound)
    }

    /// Goes down to every entity whose way up ends, and up again: whoever was entered and not yet left is an ancestor.
    package func walk(enter: (Int) -> Void, leave: (Int) -> Void) {
        Self.walk(from: roots, children, enter: enter, leave: leave)
    }

    /// Nobody is met twice, because nobody has two parents, and circles have no way in.
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
    /// Where a relationship stands: its entity, and its place there.
    package typealias RelationshipPlace = (entity: Int, relationship: Int)

    /// For each entity and each of its relationships, the one that leads back: of the entity it leads to, or of the
    /// nearest ancestor of that. `nil` where there is none.
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
        // Whatever the entity that was entered last has and inherits, by name; the nearest is the last.
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
