import { Check, Copy, ExternalLink } from 'lucide-react'
import { useRef, useState } from 'react'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'
import { TextField } from '#web/ui/text-field.tsx'

const COPIED_MS = 2000

export function ShareAddress({ shareId }: { shareId: string }) {
  const address = new URL(paths.shared(shareId), location.origin).href
  const field = useRef<HTMLInputElement>(null)
  const [isCopied, setIsCopied] = useState(false)

  async function copy() {
    try {
      await navigator.clipboard.writeText(address)
    } catch {
      // Where the clipboard is closed to pages, the person copies what is selected.
      field.current?.select()
      return
    }
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), COPIED_MS)
  }

  return (
    <div className="flex flex-col gap-3">
      <TextField
        ref={field}
        label="Ссылка на чат"
        readOnly
        value={address}
        onFocus={(event) => event.target.select()}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          icon={isCopied ? <Check size={18} aria-hidden="true" /> : <Copy size={18} aria-hidden="true" />}
          onClick={() => void copy()}
        >
          {isCopied ? 'Скопировано' : 'Скопировать'}
        </Button>
        <a href={address} target="_blank" rel="noopener" className={buttonStyle('secondary', 'md')}>
          <ExternalLink size={18} aria-hidden="true" />
          Открыть
        </a>
      </div>
    </div>
  )
}
