import Database
import Testing

@Suite struct `A database error` {
    @Test func `says what SQLite said`() {
        let error = DatabaseError(.busy, code: 5, message: "database is locked")
        #expect(error.description == "database is locked (SQLite code 5)")
    }
}
