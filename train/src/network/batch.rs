//! Steps on batches, on several threads.
//!
//! A step has two phases, with a barrier after each. First the threads take the gradients of parts of the
//! batch, which are the same however many threads there are. Then each thread steps the rows that it has to
//! itself, in the order of the positions, and the first one steps the head, too, with the parts' gradients
//! summed in order. So nothing depends on which thread did what.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::{Condvar, Mutex, PoisonError, RwLock};

use outflank_kernels::geometry::corner::COUNT;
use outflank_kernels::network::{CORNERS, WIDTH};
use pulp::{Arch, NullaryFnOnce};

use super::data::Sample;
use super::head::{Gradient, Head};
use super::pass::{Forward, Slot, slope};
use super::rows::{Rounded, Share};
use crate::fit::{Loss, Sums};

/// Positions in a batch.
pub(super) const BATCH: usize = 256;

/// Positions in a part.
const PART: usize = 16;

/// What a thread finds out about a part of a batch.
struct Part {
    slots: [Slot; PART],
    /// How many positions there are.
    positions: usize,
    gradient: Gradient,
    /// Over all of this part's positions so far.
    sums: Sums,
}

/// One or more batches, on several threads.
pub(super) struct Steps<'a> {
    pub(super) samples: &'a [Sample],
    /// In which order they are taken; what is not whole batches ends with a smaller one.
    pub(super) order: &'a [u32],
    pub(super) loss: Loss,
    /// For each batch, the steps of rows and head.
    pub(super) rates: &'a (dyn Fn(usize) -> [f32; 2] + Sync),
    pub(super) rounded: &'a Rounded,
}

impl Steps<'_> {
    /// Takes the steps, on a thread for each share of the rows. Returns the sums over the positions, as they
    /// were when their turn came.
    pub(super) fn take(&self, shares: Vec<Share>, head: &mut Head) -> Sums {
        let part = || Part {
            slots: [Slot::NONE; PART],
            positions: 0,
            gradient: Gradient::new(),
            sums: Sums::default(),
        };
        let parts: Vec<_> = (0..BATCH / PART).map(|_| RwLock::new(part())).collect();
        let barrier = Barrier::new(shares.len());
        let shared = RwLock::new(head);
        std::thread::scope(|scope| {
            for (thread, share) in shares.into_iter().enumerate().rev() {
                let (parts, barrier, head) = (&parts, &barrier, &shared);
                let work = move || self.work(thread, share, parts, barrier, head);
                if thread == 0 {
                    work();
                } else {
                    scope.spawn(work);
                }
            }
        });
        let sums = parts.into_iter().map(|part| {
            let part = part.into_inner();
            part.unwrap_or_else(PoisonError::into_inner).sums
        });
        sums.fold(Sums::default(), |sum, one| sum + one)
    }

    fn work(
        &self,
        thread: usize,
        mut share: Share,
        parts: &[RwLock<Part>],
        barrier: &Barrier,
        head: &RwLock<&mut Head>,
    ) {
        let _watch = Watch(barrier);
        let arch = Arch::new();
        let mut whole = Gradient::new();
        for (batch, order) in self.order.chunks(BATCH).enumerate() {
            {
                let head = head.read().unwrap_or_else(PoisonError::into_inner);
                let own = parts.iter().enumerate().skip(thread);
                for (number, part) in own.step_by(barrier.threads) {
                    let begin = (number * PART).min(order.len());
                    let end = (begin + PART).min(order.len());
                    let mut part = part.write().unwrap_or_else(PoisonError::into_inner);
                    arch.dispatch(Work(
                        #[inline(always)]
                        || self.gradients(&order[begin..end], &head, &mut part),
                    ));
                }
            }
            barrier.wait();
            let [row_rate, head_rate] = (self.rates)(batch);
            if thread == 0 {
                whole.clear();
                let mut head = head.write().unwrap_or_else(PoisonError::into_inner);
                for part in parts {
                    let part = part.read().unwrap_or_else(PoisonError::into_inner);
                    whole.add(&part.gradient);
                }
                arch.dispatch(Work(
                    #[inline(always)]
                    || head.step(&whole, order.len(), head_rate),
                ));
            }
            for part in parts {
                let part = part.read().unwrap_or_else(PoisonError::into_inner);
                arch.dispatch(Work(
                    #[inline(always)]
                    || self.step_rows(&part, &mut share, row_rate),
                ));
            }
            barrier.wait();
        }
    }

    /// Takes the gradients of a part.
    #[inline(always)]
    fn gradients(&self, order: &[u32], head: &Head, part: &mut Part) {
        part.positions = order.len();
        part.gradient.clear();
        // All at once, so that the memory answers while the next ones are asked for.
        let mut samples = [None; PART];
        for (sample, &place) in samples.iter_mut().zip(order) {
            *sample = Some(self.samples[place as usize]);
        }
        for (sample, slot) in samples.iter().flatten().zip(&mut part.slots) {
            slot.rows = sample.rows();
            let forward = Forward::new(&slot.rows, sample.stage(), self.rounded, head);
            let error = forward.discs() - sample.target;
            part.sums = part.sums + sums_of(error, sample, self.loss);
            let slope = slope(error, sample, self.loss);
            forward.backward(slope, sample.stage(), head, &mut part.gradient, slot);
        }
    }

    /// Steps the rows of a share that a part's positions have.
    #[inline(always)]
    fn step_rows(&self, part: &Part, share: &mut Share, rate: f32) {
        for slot in &part.slots[..part.positions] {
            let (features, sides) = slot.rows.split_at(COUNT);
            for (feature, &row) in features.iter().enumerate() {
                let corner = feature % CORNERS;
                if slot.live[corner] {
                    share.step_row(row, &slot.corners[corner], rate, self.rounded);
                }
            }
            let mut all = [0.0; WIDTH];
            for corner in &slot.corners {
                for k in 0..WIDTH {
                    all[k] += corner[k];
                }
            }
            for &row in sides {
                share.step_side(row, &all, rate, self.rounded);
            }
        }
    }
}

/// Work for pulp, which compiles it for what the CPU has. A closure as it is would be called through a function
/// that need not be inlined, and then is compiled for any CPU.
struct Work<F>(F);

impl<F: FnMut()> NullaryFnOnce for Work<F> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        (self.0)();
    }
}

/// What a position adds to the sums.
#[inline(always)]
pub(super) fn sums_of(error: f32, sample: &Sample, loss: Loss) -> Sums {
    let weight = f64::from(sample.weight);
    let of = |cost: f32| weight * f64::from(cost);
    Sums {
        weight,
        loss: of(loss.of(error)),
        absolute: of(error.abs()),
        squared: of(error * error),
    }
}

/// Where threads wait for each other. Waking a thread takes a good part of a phase, so a thread spins for a
/// while before it sleeps. It does not yield instead: where other programs run, it would get the CPU back only
/// after they have used up their time slices.
struct Barrier {
    threads: usize,
    arrived: AtomicUsize,
    /// How often all have arrived; [`Barrier::BROKEN`] when one never will.
    rounds: AtomicUsize,
    asleep: Mutex<()>,
    turn: Condvar,
}

impl Barrier {
    const BROKEN: usize = usize::MAX;
    /// Some 20 microseconds.
    const SPINS: usize = 400;

    fn new(threads: usize) -> Barrier {
        Barrier {
            threads,
            arrived: AtomicUsize::new(0),
            rounds: AtomicUsize::new(0),
            asleep: Mutex::new(()),
            turn: Condvar::new(),
        }
    }

    fn wait(&self) {
        let round = self.rounds.load(Acquire);
        if self.arrived.fetch_add(1, AcqRel) + 1 == self.threads {
            self.arrived.store(0, Relaxed);
            if round != Barrier::BROKEN {
                self.set(round + 1);
            }
        } else {
            let waits = || self.rounds.load(Acquire) == round;
            let mut spins = Barrier::SPINS;
            while spins > 0 && waits() {
                spins -= 1;
                std::hint::spin_loop();
            }
            if waits() {
                let mut asleep = self.asleep.lock().unwrap_or_else(PoisonError::into_inner);
                while waits() {
                    let turn = self.turn.wait(asleep);
                    asleep = turn.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
        let broken = self.rounds.load(Acquire) == Barrier::BROKEN;
        assert!(!broken, "another thread of the training panicked");
    }

    fn set(&self, round: usize) {
        // Behind the lock, so that no thread falls asleep between its last look and this.
        let asleep = self.asleep.lock().unwrap_or_else(PoisonError::into_inner);
        self.rounds.store(round, Release);
        drop(asleep);
        if self.threads > 1 {
            self.turn.notify_all();
        }
    }
}

/// Lets the other threads end when one panics, so that the panic is seen.
struct Watch<'a>(&'a Barrier);

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.set(Barrier::BROKEN);
        }
    }
}
