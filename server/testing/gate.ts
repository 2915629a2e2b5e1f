export interface Gate {
  opened: Promise<void>
  open: () => void
}

/** One side of a race waits for it and the other side opens it; a fixed pause may be too short on a busy machine. */
export function createGate(): Gate {
  let open = () => {}
  const opened = new Promise<void>((done) => {
    open = done
  })
  return { opened, open }
}
