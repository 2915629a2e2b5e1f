import type { Thread } from '#contract/threads.ts'
import { paths } from '#web/lib/paths.ts'
import { AddressField } from '#web/ui/address-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Callout } from '#web/ui/callout.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ExternalLink, Link2, Link2Off, RefreshCw } from '#web/ui/icons.ts'
import { useShareThread, useShownThread, useUnshareThread } from './queries.ts'

interface ShareDialogProps {
  thread: Thread
  onClose: () => void
}

export function ShareDialog({ thread, onClose }: ShareDialogProps) {
  const { id, shareId } = useShownThread(thread)
  const share = useShareThread(id)
  const unshare = useUnshareThread(id)
  const errors = share.errors.form ?? unshare.errors.form
  return (
    <Dialog open onClose={onClose} title="Поделиться чатом">
      <div className="flex flex-col gap-5">
        {shareId ? (
          <>
            <p className="text-pretty text-muted">
              По этой ссылке чат читает кто угодно, без входа. Новых сообщений там не видно, пока вы не обновите ссылку.
            </p>
            <ShareAddress shareId={shareId} />
            <div className="flex flex-col gap-3 border-t pt-4">
              <div className="flex flex-wrap gap-2">
                <Button size="sm" busy={share.isPending} icon={<RefreshCw size={16} />} onClick={() => share.mutate()}>
                  Обновить ссылку
                </Button>
                <Button
                  size="sm"
                  variant="ghost"
                  busy={unshare.isPending}
                  icon={<Link2Off size={16} />}
                  onClick={() => unshare.mutate()}
                >
                  Закрыть доступ
                </Button>
              </div>
              <p role="status" className="text-pretty text-sm text-muted">
                {share.isSuccess
                  ? 'Готово: по ссылке виден чат до последнего сообщения.'
                  : 'Когда доступ закрыт, ссылка не работает. Новая будет с другим адресом.'}
              </p>
            </div>
          </>
        ) : (
          <>
            <p className="text-pretty text-muted">
              По ссылке кто угодно сможет прочитать чат таким, какой он сейчас, без входа. Новые сообщения туда сами не
              попадут.
            </p>
            <Button
              variant="primary"
              className="self-start"
              busy={share.isPending}
              icon={<Link2 size={18} />}
              onClick={() => share.mutate()}
            >
              Создать ссылку
            </Button>
            {unshare.isSuccess && <p role="status">Доступ закрыт: прежняя ссылка больше не работает.</p>}
          </>
        )}
        {errors && <Callout tone="danger">{errors}</Callout>}
      </div>
    </Dialog>
  )
}

export function ShareAddress({ shareId }: { shareId: string }) {
  const address = new URL(paths.shared(shareId), location.origin).href
  return (
    <AddressField label="Ссылка на чат" address={address}>
      <a href={address} target="_blank" rel="noopener" className={buttonStyle('secondary', 'md')}>
        <ExternalLink size={18} />
        Открыть
      </a>
    </AddressField>
  )
}
