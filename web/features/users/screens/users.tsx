import { UserTable } from '#web/features/users/admin/user-table.tsx'
import { PageHead } from '#web/ui/table/page-head.tsx'

export default function UsersScreen() {
  return (
    <div className="flex flex-col gap-5">
      <PageHead
        title="Пользователи"
        description="Все, у кого есть аккаунт. В карточке есть всё, кроме того, что человек пишет: чужие чаты здесь не видны."
      />
      <UserTable />
    </div>
  )
}
