import { pageConfig } from '#web/lib/page-state.ts'
import { buttonStyle } from '#web/ui/button-style.ts'

/** Only in the demo, where emails go to a built-in mailbox. */
export function MailboxLink() {
  const { mailboxUrl } = pageConfig()
  if (!mailboxUrl) return null
  return (
    <a href={mailboxUrl} target="_blank" rel="noopener" className={buttonStyle('secondary', 'sm')}>
      Открыть ящик разработки
    </a>
  )
}
