import { type ReactNode, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Thread } from '#contract/threads.ts'
import { useOnDemand } from '#web/lib/lazy.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Archive, Link2, Pin } from '#web/ui/icons.ts'
import { mobileBarSlot } from '#web/ui/mobile-bar-slot.ts'
import { useShownThread } from './queries.ts'
import { MenuButton, RenameThread, shareDialog, threadMenu } from './thread-controls.tsx'
import { useThreadActions } from './use-thread-actions.ts'

interface ThreadHeaderProps {
  thread: Thread
  lead?: ReactNode
  /** Instead of the menu, for a temporary chat. */
  tools?: ReactNode
}

export function ThreadHeader({ thread: given, lead, tools }: ThreadHeaderProps) {
  const thread = useShownThread(given)
  const header = useRef<HTMLDivElement>(null)
  // On a phone the bar of the frame shows the title: one bar leaves more room for reading.
  const slot = mobileBarSlot.use()
  const { rename } = useThreadActions()
  const [isRenaming, setIsRenaming] = useState(false)
  const [isSharing, setIsSharing] = useState(false)
  const [ShareDialog, askForDialog] = useOnDemand(shareDialog)

  function share() {
    setIsSharing(true)
    askForDialog()
  }

  const content = (
    <>
      {lead}
      {isRenaming ? (
        <RenameThread
          title={thread.title}
          className="h-9 max-w-lg px-2 font-medium"
          onDone={(title) => {
            setIsRenaming(false)
            if (title !== null) rename(thread, title)
            // Unless another element took the focus.
            setTimeout(
              () => document.activeElement === document.body && header.current?.querySelector('button')?.focus(),
            )
          }}
        />
      ) : (
        <>
          <h1 className="min-w-0 flex-1">
            <button
              type="button"
              title={`${thread.title} — переименовать`}
              onClick={() => setIsRenaming(true)}
              className="max-w-full truncate rounded-sm px-2 py-1 text-left align-top font-medium max-frame:min-h-11 transition-colors hover:bg-hover"
            >
              {thread.title}
            </button>
          </h1>
          <div data-screen-only className="flex shrink-0 items-center">
            {tools}
            {!thread.temporary && (
              <>
                <StateIcons thread={thread} onShare={share} />
                <HeaderMenu thread={thread} onRename={() => setIsRenaming(true)} onShare={share} />
              </>
            )}
          </div>
        </>
      )}
      {ShareDialog && isSharing && (
        <ShareDialog
          thread={thread}
          onClose={() => {
            setIsSharing(false)
            header.current?.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.focus()
          }}
        />
      )}
    </>
  )
  return slot ? (
    <>
      {createPortal(
        <div ref={header} className="flex min-w-0 flex-1 items-center">
          {content}
        </div>,
        slot,
      )}
      <p className="hidden px-4 pt-4 font-medium text-lg print:block">{thread.title}</p>
    </>
  ) : (
    <header
      ref={header}
      className="sticky top-0 z-20 line-when-scrolled flex h-12 items-center gap-1 border-b bg-page px-4 print:static print:border-0"
    >
      {content}
    </header>
  )
}

function StateIcons({ thread, onShare }: { thread: Thread; onShare: () => void }) {
  return (
    <>
      {thread.pinned && <StateIcon label="Закреплён" Icon={Pin} />}
      {thread.archived && <StateIcon label="В архиве" Icon={Archive} />}
      {thread.shareId && <IconButton label="Доступен по ссылке" icon={<Link2 size={20} />} onClick={onShare} />}
    </>
  )
}

function StateIcon({ label, Icon }: { label: string; Icon: typeof Pin }) {
  return (
    <span role="img" aria-label={label} title={label} className="grid size-9 place-items-center text-muted">
      <Icon size={18} />
    </span>
  )
}

interface HeaderMenuProps {
  thread: Thread
  onRename: () => void
  onShare: () => void
}

/** A plain button until the first click, which loads the menu. */
function HeaderMenu({ thread, onRename, onShare }: HeaderMenuProps) {
  const [ThreadMenu, ask] = useOnDemand(threadMenu)
  const buttonStyle = 'size-11 frame:size-10'
  if (!ThreadMenu) return <MenuButton title={thread.title} className={buttonStyle} onClick={ask} />
  return (
    <ThreadMenu
      isHeader
      thread={thread}
      trigger={<MenuButton title={thread.title} className={buttonStyle} />}
      onRename={onRename}
      onShare={onShare}
    />
  )
}
