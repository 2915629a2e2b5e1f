export interface Gate {
  /** Resolves when `open` is called. */
  opened: Promise<void>
  open: () => void
}

/** What one side of a race waits for and the other side opens, instead of a pause that a busy machine outlasts. */
export function createGate(): Gate {
  let open = () => {}
  const opened = new Promise<void>((done) => {
    open = done
  })
  return { opened, open }
}
