import ConformanceSupport
import Testing
import WidgetTestSupport

/// A checker that finds nothing proves nothing, so it is tested with histories that it must reject.
@Suite(.also(.faults)) struct `The checker of histories` {
    typealias Operation = RaceHistory.Operation
    typealias Change = RaceHistory.Change

    /// An operation of a client from one moment to another.
    private static func op(
        _ client: String, _ action: RaceHistory.Action, _ start: UInt64, _ end: UInt64, _ status: Int,
        sequence: Int? = nil, release: String? = nil
    ) -> Operation {
        Operation(
            client: client, action: action, start: start, end: end, status: status, sequence: sequence,
            release: release)
    }

    private static let two = [
        Change(kind: .publish, key: "1", by: "a", sequence: 1), Change(kind: .publish, key: "2", by: "b", sequence: 2),
    ]

    private static let publishing = [
        op("a", .publish(key: "1"), 0, 10, 201), op("b", .publish(key: "2"), 5, 20, 201),
    ]

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var history: RaceHistory
    }

    static let sound: [Case] = [
        Case(
            testDescription: "two publish one after the other",
            history: RaceHistory(operations: publishing, changes: two)),
        Case(
            testDescription: "one reads the old while the new arrives",
            history: RaceHistory(
                operations: publishing + [op("c", .resolve, 12, 19, 200, sequence: 1, release: "1")], changes: two)
        ),
        Case(
            testDescription: "one reads the new before its publisher has heard",
            history: RaceHistory(
                operations: publishing + [op("c", .resolve, 12, 14, 200, sequence: 2, release: "2")], changes: two)
        ),
        Case(
            testDescription: "two publish the same",
            history: RaceHistory(
                operations: [op("a", .publish(key: "1"), 0, 10, 201), op("b", .publish(key: "1"), 0, 10, 200)],
                changes: Array(two.prefix(1)))
        ),
        Case(
            testDescription: "what is stored comes back to the channel",
            history: RaceHistory(
                operations: publishing + [
                    op("c", .rollback, 30, 40, 200, sequence: 3, release: "1"),
                    op("d", .publish(key: "2"), 50, 60, 200),
                ],
                changes: two + [
                    Change(kind: .rollback, key: "1", by: "c", sequence: 3),
                    Change(kind: .promote, key: "2", by: "d", sequence: 4),
                ])
        ),
        Case(
            testDescription: "one withdraws what two ask to have withdrawn",
            history: RaceHistory(
                operations: publishing + [
                    op("c", .withdraw(key: "2"), 30, 40, 200), op("d", .withdraw(key: "2"), 30, 40, 200),
                    op("e", .release(key: "2"), 50, 60, 410),
                ],
                changes: two + [Change(kind: .withdraw, key: "2", by: "d", sequence: 3)])
        ),
        Case(
            testDescription: "one of two promotions fails",
            history: RaceHistory(
                operations: publishing + [
                    op("c", .promote(key: "1", seen: 2), 30, 50, 200, sequence: 3, release: "1"),
                    op("d", .promote(key: "1", seen: 2), 30, 50, 412),
                ],
                changes: two + [Change(kind: .promote, key: "1", by: "c", sequence: 3)])
        ),
    ]

    @Test(arguments: sound)
    func `A sound history is accepted`(_ example: Case) {
        #expect(RaceChecker.complaints(about: example.history).isEmpty)
    }

    static let unsound: [Case] = [
        Case(
            testDescription: "one reads the old after the new was acknowledged",
            history: RaceHistory(
                operations: publishing + [op("c", .resolve, 21, 30, 200, sequence: 1, release: "1")], changes: two)
        ),
        Case(
            testDescription: "one reads the new and then another the old",
            history: RaceHistory(
                operations: publishing + [
                    op("c", .resolve, 12, 13, 200, sequence: 2, release: "2"),
                    op("d", .resolve, 14, 15, 200, sequence: 1, release: "1"),
                ], changes: two)
        ),
        Case(
            testDescription: "a client reads a release that was never published",
            history: RaceHistory(
                operations: publishing + [op("c", .resolve, 12, 19, 200, sequence: 2, release: "3")], changes: two)
        ),
        Case(
            testDescription: "one reads one state's sequence with another's release",
            history: RaceHistory(
                operations: publishing + [op("c", .resolve, 21, 30, 200, sequence: 2, release: "1")], changes: two)
        ),
        Case(
            testDescription: "an acknowledged release is not in the feed",
            history: RaceHistory(operations: publishing, changes: [two[0]])),
        Case(
            testDescription: "a release is in the feed that was never published",
            history: RaceHistory(operations: [publishing[0]], changes: two)),
        Case(
            testDescription: "the feed is in another order than what was acknowledged",
            history: RaceHistory(
                operations: [
                    op("a", .publish(key: "1"), 0, 10, 201), op("b", .publish(key: "2"), 11, 20, 201),
                ],
                changes: [
                    Change(kind: .publish, key: "2", by: "b", sequence: 1),
                    Change(kind: .publish, key: "1", by: "a", sequence: 2),
                ])
        ),
        Case(
            testDescription: "two publish one key and both get the answer that it is new",
            history: RaceHistory(
                operations: [op("a", .publish(key: "1"), 0, 10, 201), op("b", .publish(key: "1"), 0, 10, 201)],
                changes: [two[0]])
        ),
        Case(
            testDescription: "two promotions succeed with the same tag",
            history: RaceHistory(
                operations: publishing + [
                    op("c", .promote(key: "1", seen: 2), 30, 50, 200, sequence: 3, release: "1"),
                    op("d", .promote(key: "2", seen: 2), 30, 50, 200, sequence: 4, release: "2"),
                ],
                changes: two + [
                    Change(kind: .promote, key: "1", by: "c", sequence: 3),
                    Change(kind: .promote, key: "2", by: "d", sequence: 4),
                ])
        ),
        Case(
            testDescription: "a promotion fails although nothing has changed",
            history: RaceHistory(
                operations: publishing + [op("c", .promote(key: "1", seen: 2), 30, 50, 412)], changes: two)
        ),
        Case(
            testDescription: "a withdrawn release is served",
            history: RaceHistory(
                operations: publishing + [
                    op("c", .withdraw(key: "2"), 30, 40, 200), op("d", .release(key: "2"), 50, 60, 200),
                ],
                changes: two + [Change(kind: .withdraw, key: "2", by: "c", sequence: 3)])
        ),
        Case(
            testDescription: "the sequence goes back",
            history: RaceHistory(
                operations: publishing,
                changes: [
                    Change(kind: .publish, key: "1", by: "a", sequence: 2),
                    Change(kind: .publish, key: "2", by: "b", sequence: 1),
                ])
        ),
        Case(
            testDescription: "a conflict is answered without a conflict",
            history: RaceHistory(operations: publishing + [op("c", .publishOther(key: "3"), 30, 40, 409)], changes: two)
        ),
    ]

    @Test(arguments: unsound)
    func `An unsound history is reported`(_ example: Case) {
        #expect(!RaceChecker.complaints(about: example.history).isEmpty)
    }
}
