export interface Deferred {
  promise: Promise<void>
  resolve: () => void
  reject: (error: unknown) => void
}

/** A promise that is settled from outside. A failure that nobody waits for is no failure of the page. */
export function deferred(): Deferred {
  let resolve = () => {}
  let reject: Deferred['reject'] = () => {}
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}
