import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { message } from '#web/lib/notify.ts'
import { copyText } from './copy-text.ts'

const SAID_MS = 2000

/** Says «Скопировано» in its own place, to eyes and to screen readers. */
export function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy() {
    if (await copyText(text)) setCopied(true)
    else message.error('Не получилось скопировать. Выделите текст и скопируйте его вручную.')
  }

  return (
    <button type="button" className="code-action" onClick={() => void copy()}>
      {isCopied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
      <span aria-live="polite">{isCopied ? 'Скопировано' : 'Копировать'}</span>
    </button>
  )
}
