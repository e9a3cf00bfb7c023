// The engine as scripts call it: each widget that is opened is an instance of its own, so that what ends one widget ends no other.
// `Sources/Wasm/calls.mjs` has the calls that programs in JavaScript make and an element does not.

/** The reason why the engine did not do what it was asked: `code` is for programs, `message` for people. */
class EngineFault extends Error {
  constructor(code, message, hints = []) {
    super(message)
    this.code = code
    this.hints = hints
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The memory of an instance ends there, as its file says. */
const mostMemory = 1 << 30

/** Bytes as the engine takes them: of a buffer, of a view of one, of a text, or of an object as JSON. */
function bytesOf(content, name) {
  if (content instanceof Uint8Array) return content
  if (content instanceof ArrayBuffer) return new Uint8Array(content)
  if (ArrayBuffer.isView(content)) return new Uint8Array(content.buffer, content.byteOffset, content.byteLength)
  if (typeof content == 'string') return encoder.encode(content)
  if (name == 'records' && typeof content == 'object') return encoder.encode(JSON.stringify(content))
  throw new EngineFault('misuse', `${name} has to be bytes`)
}

/** The bytes of a call: how long its line is, how many pieces there are, how long each is, the line, and the pieces. */
function packed(line, pieces) {
  const text = encoder.encode(JSON.stringify(line))
  const head = new DataView(new ArrayBuffer(8 + 4 * pieces.length))
  head.setUint32(0, text.length, true)
  head.setUint32(4, pieces.length, true)
  pieces.forEach((piece, place) => head.setUint32(8 + 4 * place, piece.length, true))
  const bytes = new Uint8Array(head.byteLength + text.length + pieces.reduce((sum, piece) => sum + piece.length, 0))
  bytes.set(new Uint8Array(head.buffer))
  bytes.set(text, head.byteLength)
  let place = head.byteLength + text.length
  for (const piece of pieces) {
    bytes.set(piece, place)
    place += piece.length
  }
  return bytes
}

/** The line of an answer, with its pieces as `pieces`. */
function unpacked(bytes) {
  const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [length, count] = [head.getUint32(0, true), head.getUint32(4, true)]
  let place = 8 + 4 * count
  const answer = JSON.parse(decoder.decode(bytes.subarray(place, place + length)))
  place += length
  answer.pieces = []
  for (let index = 0; index < count; index++) {
    const size = head.getUint32(8 + 4 * index, true)
    answer.pieces.push(bytes.slice(place, place + size))
    place += size
  }
  return answer
}

/** A compiled engine, of which any number of instances are made. */
class Engine {
  constructor(module) {
    this.module = module
  }

  /** An instance that has no widget yet. */
  instance() {
    return new EngineInstance(this.module)
  }
}

/** One instance of the engine. After a trap or when its memory is used up it takes no more calls, and says why. */
class EngineInstance {
  constructor(module) {
    const none = () => 8
    this.exports = new WebAssembly.Instance(module, {
      engine: {
        now: () => Date.now(),
        random: (place, count) => {
          const room = new Uint8Array(this.exports.memory.buffer, place, count)
          for (let start = 0; start < count; start += 65536) {
            crypto.getRandomValues(room.subarray(start, Math.min(count, start + 65536)))
          }
        },
        trace: (place, count) => {
          this.said = decoder.decode(new Uint8Array(this.exports.memory.buffer, place, count))
        },
      },
      // The C library's streams, over which it reads numbers; no file is ever opened.
      wasi_snapshot_preview1: { fd_close: none, fd_seek: none, fd_write: none },
    }).exports
  }

  /** Carries out a call. `files` are bytes that it names. */
  call(name, settings = {}, files = {}) {
    if (this.end) throw this.end
    const [line, pieces] = [{ ...settings, call: name }, []]
    for (const [name, content] of Object.entries(files)) {
      if (content === undefined || content === null) continue
      line[name] = pieces.length
      pieces.push(bytesOf(content, name))
    }
    const call = packed(line, pieces)
    let answer
    try {
      answer = this.exchange(call)
    } catch (error) {
      // The engine stops where it gets no memory, which is known by how much it has.
      const isLimit = error instanceof RangeError || this.exports.memory.buffer.byteLength > mostMemory - (1 << 20)
      const reason = isLimit ? 'it needs more memory than it may have' : this.said || error.message
      this.end = new EngineFault(isLimit ? 'limit' : 'trap', `The widget has ended: ${reason}.`)
      throw this.end
    }
    if (answer.fault) throw new EngineFault(answer.fault.code, answer.fault.message, answer.fault.hints)
    return answer
  }

  exchange(bytes) {
    const { memory, engine_room, engine_call, engine_free } = this.exports
    const room = engine_room(bytes.length) >>> 0
    if (!room) throw new RangeError('no room for a call')
    new Uint8Array(memory.buffer, room, bytes.length).set(bytes)
    const place = engine_call(room, bytes.length) >>> 0
    engine_free(room)
    if (!place) throw new RangeError('no room for an answer')
    const length = new DataView(memory.buffer).getUint32(place, true)
    const answer = unpacked(new Uint8Array(memory.buffer, place + 4, length).slice())
    engine_free(place)
    return answer
  }
}

/** A widget that runs. Moments are seconds since 2001, as `EngineWidget.moment` gives them. */
class EngineWidget {
  constructor(instance) {
    this.instance = instance
  }

  /** The moment of a date. */
  static moment(date = new Date()) {
    return date.getTime() / 1000 - 978307200
  }

  /** The whole of the widget as markup, its title, and the rules of this page alone. */
  page() {
    const { title, visible, pieces } = this.instance.call('page')
    return { html: decoder.decode(pieces[0]), sheet: decoder.decode(pieces[1]), title, visible }
  }

  sheets() { return this.instance.call('sheets').pieces.map((sheet) => decoder.decode(sheet)) }

  picture(name) { return this.instance.call('picture', { name }).pieces[0] }

  /** The requests that wait to be sent, each once, with their bodies as bytes. */
  requests() {
    const { requests, pieces } = this.instance.call('requests')
    return requests.map((request) => ({ ...request, body: pieces[request.body] }))
  }

  /** The records and settings that have changed since the last call, as JSON; `undefined` if none have. */
  unsaved() {
    const [text] = this.instance.call('unsaved').pieces
    return text && JSON.parse(decoder.decode(text))
  }

  cacheChanges() { return this.instance.call('cache').changes }
  wishes() { return this.instance.call('wishes').wishes }
}

/** The parts of an address by which grants are compared. */
function grant(address) {
  const url = new URL(address)
  const port = Number(url.port) || { 'http:': 80, 'https:': 443 }[url.protocol] || 0
  return { scheme: url.protocol.slice(0, -1), host: url.hostname, port, path: url.pathname }
}
