import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface Question {
  title: string
  /** The button that agrees. */
  action: string
}

/** Asks over the page; false when the person declines. Outside the tree of the page, so nothing of it is needed. */
export function ask(question: Question): Promise<boolean> {
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  return new Promise((done) => {
    const answer = (agrees: boolean) => {
      root.unmount()
      container.remove()
      done(agrees)
    }
    root.render(<AskDialog {...question} onAnswer={answer} />)
  })
}

function AskDialog({ title, action, onAnswer }: Question & { onAnswer: (agrees: boolean) => void }) {
  const [isOpen, setOpen] = useState(true)
  function close(agrees: boolean) {
    setOpen(false)
    // After the dialog has closed, so that the focus goes back to what opened it.
    queueMicrotask(() => onAnswer(agrees))
  }
  return (
    <Dialog open={isOpen} onClose={() => close(false)} title={title}>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="ghost" onClick={() => close(false)}>
          Отмена
        </Button>
        <Button variant="primary" onClick={() => close(true)}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
