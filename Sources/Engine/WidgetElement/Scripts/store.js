// What an element keeps in the browser: records, cached values, releases and their archives. Where the browser keeps nothing for a
// page, as in a frame without an origin, it is kept until the page is left.

/** The bytes of records and cached values that one widget may keep, and those of all archives. */
const keptLimits = { widget: 16 << 20, archives: 256 << 20 }

class BrowserStore {
  static #shared

  static get shared() {
    return (BrowserStore.#shared ??= new BrowserStore(self.indexedDB))
  }

  /** Without a factory it is empty, and keeps nothing beyond its page. */
  constructor(factory) {
    this.memory = { state: new Map(), archives: new Map() }
    this.opened = new Promise((done) => {
      try {
        const request = factory.open('widget-view', 1)
        request.onupgradeneeded = () => {
          request.result.createObjectStore('state')
          request.result.createObjectStore('archives')
        }
        request.onsuccess = () => done(request.result)
        request.onerror = request.onblocked = () => done(undefined)
      } catch {
        done(undefined)
      }
    })
    // One change of a value at a time, so that none is lost between reading and writing.
    this.line = Promise.resolve()
  }

  async #request(table, mode, act) {
    const base = await this.opened
    if (!base) return undefined
    return new Promise((done, failed) => {
      const transaction = base.transaction(table, mode, { durability: 'strict' })
      const request = act(transaction.objectStore(table))
      // A value that was written is kept once its transaction is over, and not before.
      transaction.oncomplete = () => done(request.result)
      transaction.onerror = transaction.onabort = () => failed(transaction.error ?? request.error)
    })
  }

  async get(table, key) {
    if (!(await this.opened)) return this.memory[table].get(key)
    return this.#request(table, 'readonly', (store) => store.get(key))
  }

  async set(table, key, value) {
    if (!(await this.opened)) return void this.memory[table].set(key, value)
    await this.#request(table, 'readwrite', (store) => (value === undefined ? store.delete(key) : store.put(value, key)))
  }

  /** Changes a value, over all tabs of this origin where the browser has locks. */
  async change(key, body) {
    const change = async () => {
      const value = await body(await this.get('state', key))
      if (value !== undefined) await this.set('state', key, value)
      return value
    }
    if (self.navigator?.locks && (await this.opened)) return navigator.locks.request(`widget-view ${key}`, change)
    const next = this.line.then(change)
    this.line = next.catch(() => {})
    return next
  }

  // Archives, by the digests of their contents

  archive(digest) {
    const kept = this.memory.archives.get(digest)
    return kept ?? this.get('archives', digest).catch(() => undefined)
  }

  /** Keeps an archive. Those that were used longest ago give way. */
  async keepArchive(digest, bytes) {
    try {
      if (bytes.length > keptLimits.archives || !(await this.opened)) throw new RangeError('no room')
      await this.set('archives', digest, bytes)
    } catch {
      // Without room it is kept until the page is left.
      this.memory.archives.set(digest, bytes)
      return
    }
    const all = (await this.#request('archives', 'readonly', (store) => store.getAllKeys())) ?? []
    const known = await this.change('archives', (list = {}) => {
      const next = {}
      for (const name of all) next[name] = list[name] ?? { size: 0, used: 0 }
      next[digest] = { size: bytes.length, used: Date.now() }
      return next
    })
    let left = Object.values(known).reduce((sum, one) => sum + one.size, 0)
    for (const [name, { size }] of Object.entries(known).sort(([, one], [, other]) => one.used - other.used)) {
      if (left <= keptLimits.archives || name == digest) continue
      left -= size
      await this.set('archives', name, undefined)
    }
  }

  /** The name by which registries draw this browser's share of a rollout. It is sent to nobody. */
  async installation() {
    return this.change('installation', (name) => name
      ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join(''))
  }
}

/** The records and cached values of one widget, as JSON that the engine takes. */
class KeptValues {
  constructor(store, name) {
    this.store = store
    this.key = `values ${name}`
  }

  /**
   * - signal: ends the use of the values.
   */
  async load(signal) {
    const isFirst = await this.use(signal)
    const kept = (await this.store.get('state', this.key)) ?? {}
    const { records = {}, settings, cache = {} } = kept
    const list = Object.entries(records).map(([number, [entity, fields]]) => [Number(number), entity, fields])
    // A second tab numbers its records from another place on, so that none takes the number of another.
    if (!isFirst) list.push([await this.numbers(list), '', null])
    return {
      records: list.length || settings ? { records: list, ...(settings && { settings }) } : undefined,
      cache: Object.values(cache),
    }
  }

  /** True for the one that uses the values first; it does so until its page is left. */
  async use(signal) {
    if (!self.navigator?.locks || !(await this.store.opened)) return true
    return new Promise((done) => {
      navigator.locks.request(`widget-view ${this.key} use`, { ifAvailable: true }, (lock) => {
        done(lock != null)
        return lock && new Promise((end) => signal?.addEventListener('abort', end, { once: true }))
      }).catch(() => done(true))
    })
  }

  async numbers(list) {
    const most = list.reduce((most, [number]) => Math.max(most, number), 0)
    return this.store.change(`${this.key} numbers`, (last = 0) => Math.max(last, most) + 10_000)
  }

  /**
   * Adds changes to what is kept. One that would be too much is not kept, and the promise fails with the reason.
   *
   * Each value is an entry by its number or key, so that the changes of two tabs both stay.
   */
  async save(unsaved, cacheChanges = []) {
    if (!unsaved && !cacheChanges.length) return
    await this.store.change(this.key, (kept = {}) => {
      const { records = {}, cache = {} } = kept
      const next = { ...kept, records: { ...records }, cache: { ...cache } }
      for (const [number, entity, fields] of unsaved?.records ?? []) {
        if (entity === '') delete next.records[number]
        else next.records[number] = [entity, fields]
      }
      if (unsaved?.settings) next.settings = { ...kept.settings, ...unsaved.settings }
      for (const change of cacheChanges) {
        if ('value' in change) next.cache[change.key] = change
        else delete next.cache[change.key]
      }
      const size = JSON.stringify(next).length
      if (size > keptLimits.widget) throw new EngineFault('limit', `The widget may keep ${keptLimits.widget >> 20} MB in a browser.`)
      return next
    })
  }
}
