//! Processes that end together: a program with the processes that it starts. They are a process group on Unix, which a
//! process may leave, and a job on Windows, which none can leave.

#[cfg(unix)]
pub use unix::ProcessGroup;
#[cfg(windows)]
pub use windows::ProcessGroup;

#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    use nix::sys::signal::{SIGKILL, killpg};
    use nix::unistd::Pid;

    /// Handle of a program with all processes that it starts.
    #[derive(Clone)]
    pub struct ProcessGroup {
        leader: Pid,
    }

    impl ProcessGroup {
        /// Starts a program in a group of its own, which does not receive the terminal's Ctrl-C.
        pub fn spawn(command: &mut Command) -> io::Result<(Child, ProcessGroup)> {
            let child = command.process_group(0).spawn()?;
            let leader = Pid::from_raw(child.id().cast_signed());
            Ok((child, ProcessGroup { leader }))
        }

        /// Kills all processes of the group.
        ///
        /// No other group can have the leader's number while the group has members or its leader was not waited for.
        /// Afterwards the system reuses it only after thousands of other processes.
        pub fn kill(&self) {
            let _ = killpg(self.leader, SIGKILL);
        }
    }
}

#[cfg(windows)]
mod windows {
    use std::io;
    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
    use std::os::windows::process::CommandExt;
    use std::process::{Child, Command};
    use std::ptr::null;
    use std::sync::{Arc, Mutex};
    use std::thread;
    use std::time::Duration;

    use windows_sys::Win32::System::JobObjects::{
        AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
        JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
        SetInformationJobObject,
    };
    use windows_sys::Win32::System::Threading::CREATE_NO_WINDOW;

    /// Handle of a program with all processes that it starts. They are killed at the latest when the last clone is
    /// dropped or this program ends, because the system then closes their job.
    #[derive(Clone)]
    pub struct ProcessGroup {
        /// `None` after a kill, or if the program ended before it was in the job.
        job: Arc<Mutex<Option<OwnedHandle>>>,
    }

    impl ProcessGroup {
        /// Starts a program with a console of its own, which has no window and does not receive the keys of this
        /// program's.
        pub fn spawn(command: &mut Command) -> io::Result<(Child, ProcessGroup)> {
            let job = new_job()?;
            let mut child = command.creation_flags(CREATE_NO_WINDOW).spawn()?;
            // A process that the program starts before it joins the job stays outside.
            let job = match assign(&job, &child) {
                Ok(()) => Some(job),
                Err(_) if has_ended(&mut child) => None,
                Err(error) => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(error);
                }
            };
            let job = Arc::new(Mutex::new(job));
            Ok((child, ProcessGroup { job }))
        }

        /// Kills all processes of the group.
        pub fn kill(&self) {
            self.job.lock().expect("no panic while locked").take();
        }
    }

    /// Waits up to a second for the end of a process, which may be about to exit.
    fn has_ended(child: &mut Child) -> bool {
        (0..100).any(|_| {
            thread::sleep(Duration::from_millis(10));
            matches!(child.try_wait(), Ok(Some(_)))
        })
    }

    /// Creates a job. Closing it kills all its processes.
    fn new_job() -> io::Result<OwnedHandle> {
        // SAFETY: both pointers may be null; the job then has the default security and no name.
        let job = unsafe { CreateJobObjectW(null(), null()) };
        if job.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle is open, and only this value closes it.
        let job = unsafe { OwnedHandle::from_raw_handle(job) };
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        let bytes = size_of_val(&limits) as u32;
        let class = JobObjectExtendedLimitInformation;
        let limits = (&raw const limits).cast();
        // SAFETY: the handle is open, and the pointer leads to `bytes` bytes of the structure for this class.
        let is_set = unsafe { SetInformationJobObject(job.as_raw_handle(), class, limits, bytes) };
        match is_set {
            0 => Err(io::Error::last_os_error()),
            _ => Ok(job),
        }
    }

    /// Adds a process to a job.
    fn assign(job: &OwnedHandle, child: &Child) -> io::Result<()> {
        // SAFETY: both handles are open.
        match unsafe { AssignProcessToJobObject(job.as_raw_handle(), child.as_raw_handle()) } {
            0 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use super::*;

    /// Command of a shell that runs `unix` or `windows`.
    fn shell(unix: &str, windows: &str) -> Command {
        let (shell, option, script) = match cfg!(windows) {
            true => ("cmd", "/c", windows),
            false => ("sh", "-c", unix),
        };
        let mut command = Command::new(shell);
        command.args([option, script]).stdout(Stdio::piped());
        command
    }

    /// Kills a shell and the program that it waits for: the pipe that both hold ends.
    #[test]
    fn a_kill_reaches_what_the_program_started() {
        let mut command = shell("sleep 60; echo", "ping -n 60 127.0.0.1");
        let (mut child, group) = ProcessGroup::spawn(&mut command).unwrap();
        std::thread::sleep(Duration::from_millis(500));
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        let start = Instant::now();
        group.kill();
        child.wait().unwrap();
        let mut output = child.stdout.take().unwrap();
        output.read_to_end(&mut Vec::new()).unwrap();
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_program_that_ends_at_once_has_its_status() {
        for _ in 0..20 {
            let mut command = shell("exit 7", "exit 7");
            let (mut child, group) = ProcessGroup::spawn(&mut command).unwrap();
            assert_eq!(child.wait().unwrap().code(), Some(7));
            group.kill();
        }
    }
}
