import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { message } from '#web/lib/notify.ts'
import { ToolButton } from './tool-button.tsx'

const SHOWN_MS = 1600

export function CopyButton({ text }: { text: string }) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => setDone(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isDone])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
    } catch {
      message.error('Браузер не дал скопировать. Выделите текст и скопируйте сами.')
    }
  }

  return (
    <>
      <ToolButton
        label={isDone ? 'Скопировано' : 'Копировать'}
        icon={isDone ? <Check size={18} aria-hidden="true" /> : <Copy size={18} aria-hidden="true" />}
        onClick={() => void copy()}
      />
      <span role="status" className="sr-only">
        {isDone && 'Скопировано'}
      </span>
    </>
  )
}
